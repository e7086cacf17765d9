-- The inventory of computers, which an export keeps a site list in step with.
--
-- Times are milliseconds since 1970 UTC.

CREATE TABLE computer (
    tenant     TEXT COLLATE "C" NOT NULL REFERENCES tenant (id),
    id         TEXT COLLATE "C" NOT NULL,
    name_key   TEXT COLLATE "C" NOT NULL,   -- the name in lower case: the order in which people see them
    status     TEXT COLLATE "C" NOT NULL,
    search     TEXT COLLATE "C" NOT NULL,   -- what a search looks through, in lower case, a field a line
    record     TEXT NOT NULL,               -- JSON: the computer as it travels
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant, id)
);

CREATE INDEX computer_by_name ON computer (tenant, name_key, id);

ALTER TABLE computer ENABLE ROW LEVEL SECURITY;
ALTER TABLE computer FORCE ROW LEVEL SECURITY;
CREATE POLICY one_tenant ON computer
    USING (tenant IS NOT DISTINCT FROM current_setting('app.tenant', true));
