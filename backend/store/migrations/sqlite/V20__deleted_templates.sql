-- The number of the newest version of each template that was deleted. Who takes its id again goes on counting, so that
-- a number never stands for two contents.
CREATE TABLE deleted_template (
    tenant      TEXT NOT NULL,
    template_id TEXT NOT NULL,
    version     INTEGER NOT NULL,
    PRIMARY KEY (tenant, template_id)
) STRICT, WITHOUT ROWID;
