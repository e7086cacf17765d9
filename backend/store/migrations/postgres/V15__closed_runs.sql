-- Runs of lists: a list that starts again keeps what it was.
ALTER TABLE checklist ADD COLUMN run BIGINT NOT NULL DEFAULT 1;
-- The revision with which the present run began.
ALTER TABLE checklist ADD COLUMN run_since BIGINT NOT NULL DEFAULT 0;

-- A document and no rows: nobody changes it, or looks for what is in it.
CREATE TABLE closed_run (
    tenant    TEXT COLLATE "C" NOT NULL,
    checklist BIGINT NOT NULL,
    number    BIGINT NOT NULL, -- from 1
    document  TEXT NOT NULL,   -- JSON: the run with its items
    PRIMARY KEY (tenant, checklist, number)
);

ALTER TABLE closed_run ENABLE ROW LEVEL SECURITY;
ALTER TABLE closed_run FORCE ROW LEVEL SECURITY;
CREATE POLICY one_tenant ON closed_run
    USING (tenant IS NOT DISTINCT FROM current_setting('app.tenant', true));
