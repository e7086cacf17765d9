-- Templates that new checklists are not begun from. Their versions stay as they are: those never change.
CREATE TABLE retired_template (
    tenant      TEXT COLLATE "C" NOT NULL REFERENCES tenant (id),
    template_id TEXT COLLATE "C" NOT NULL,
    retired_at  BIGINT NOT NULL,
    PRIMARY KEY (tenant, template_id)
);

ALTER TABLE retired_template ENABLE ROW LEVEL SECURITY;
ALTER TABLE retired_template FORCE ROW LEVEL SECURITY;
CREATE POLICY one_tenant ON retired_template
    USING (tenant IS NOT DISTINCT FROM current_setting('app.tenant', true));
