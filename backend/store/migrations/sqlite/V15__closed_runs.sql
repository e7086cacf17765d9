-- Runs of lists: a list that starts again keeps what it was.
ALTER TABLE checklist ADD COLUMN run INTEGER NOT NULL DEFAULT 1;
-- The revision with which the present run began.
ALTER TABLE checklist ADD COLUMN run_since INTEGER NOT NULL DEFAULT 0;

-- A document and no rows: nobody changes it, or looks for what is in it.
CREATE TABLE closed_run (
    tenant    TEXT NOT NULL,
    checklist INTEGER NOT NULL REFERENCES checklist (number),
    number    INTEGER NOT NULL, -- from 1
    document  TEXT NOT NULL,    -- JSON: the run with its items
    PRIMARY KEY (tenant, checklist, number)
) STRICT, WITHOUT ROWID;
