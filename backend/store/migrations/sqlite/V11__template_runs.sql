-- Runs of ApplyTemplate: what was asked for, who is at it, and what became of each list.
CREATE TABLE template_run (
    tenant      TEXT NOT NULL REFERENCES tenant (id),
    id          TEXT NOT NULL, -- UUIDv7: a later one is greater
    scope       TEXT NOT NULL, -- whose run it is: the caller's, as of operation ids
    state       TEXT NOT NULL,
    plan        TEXT NOT NULL, -- JSON: what was asked for, and by whom
    total       INTEGER NOT NULL,
    counts      TEXT NOT NULL, -- JSON
    stopping    INTEGER NOT NULL DEFAULT 0,
    problem     TEXT, -- JSON: why it failed
    worker      TEXT, -- who holds it
    lease_until INTEGER NOT NULL DEFAULT 0,
    fence       INTEGER NOT NULL DEFAULT 0, -- grows with every claim
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    ended_at    INTEGER,
    PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX template_run_by_turn ON template_run (tenant, updated_at)
WHERE state IN ('Queued', 'Running');

CREATE TABLE template_run_list (
    tenant      TEXT NOT NULL,
    run         TEXT NOT NULL,
    place       INTEGER NOT NULL, -- in the request, from 0
    object_type TEXT NOT NULL,
    object_id   TEXT NOT NULL,
    purpose     TEXT NOT NULL,
    template    TEXT, -- that the context names
    outcome     TEXT,
    items       INTEGER NOT NULL DEFAULT 0, -- how many are new
    problem     TEXT, -- JSON: why it was skipped
    PRIMARY KEY (tenant, run, place),
    FOREIGN KEY (tenant, run) REFERENCES template_run (tenant, id)
) STRICT, WITHOUT ROWID;

-- The next lists without an outcome, however many have one.
CREATE INDEX template_run_list_by_outcome ON template_run_list (tenant, run, outcome, place);
