-- The number of the newest version of each template that was deleted. Who takes its id again goes on counting, so that
-- a number never stands for two contents.
CREATE TABLE deleted_template (
    tenant      TEXT COLLATE "C" NOT NULL,
    template_id TEXT COLLATE "C" NOT NULL,
    version     BIGINT NOT NULL,
    PRIMARY KEY (tenant, template_id)
);

ALTER TABLE deleted_template ENABLE ROW LEVEL SECURITY;
ALTER TABLE deleted_template FORCE ROW LEVEL SECURITY;
CREATE POLICY one_tenant ON deleted_template
    USING (tenant IS NOT DISTINCT FROM current_setting('app.tenant', true));
