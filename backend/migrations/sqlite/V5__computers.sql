-- The inventory of computers, which an export keeps a site list in step with.
--
-- Times are milliseconds since 1970 UTC.

CREATE TABLE computer (
    tenant     TEXT NOT NULL REFERENCES tenant (id),
    id         TEXT NOT NULL,
    name_key   TEXT NOT NULL,       -- the name in lower case: the order in which people see them
    status     TEXT NOT NULL,
    search     TEXT NOT NULL,       -- what a search looks through, in lower case, a field a line
    record     TEXT NOT NULL,       -- JSON: the computer as it travels
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX computer_by_name ON computer (tenant, name_key, id);
