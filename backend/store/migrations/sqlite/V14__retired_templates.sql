-- Templates that new checklists are not begun from. Their versions stay as they are: those never change.
CREATE TABLE retired_template (
    tenant      TEXT NOT NULL REFERENCES tenant (id),
    template_id TEXT NOT NULL,
    retired_at  INTEGER NOT NULL,
    PRIMARY KEY (tenant, template_id)
) STRICT, WITHOUT ROWID;
