-- Runs of workflows: what was asked for, what became of each computer, who is at it; and what
-- exports know of the entries of lists.
--
-- Times are milliseconds since 1970 UTC.

CREATE TABLE workflow_run (
    tenant         TEXT NOT NULL REFERENCES tenant (id),
    id             TEXT NOT NULL,             -- UUIDv7: a later one is greater
    list_key       TEXT NOT NULL,             -- what the list is told apart by
    active         TEXT,                      -- the same until the run has ended: one at a time
    operation      TEXT,
    operation_body BLOB,                      -- SHA-256 of what was asked for
    state          TEXT NOT NULL,
    plan           TEXT NOT NULL,             -- JSON: what was asked for
    progress       TEXT NOT NULL,             -- JSON: what the run has found out
    total          INTEGER NOT NULL,
    counts         TEXT NOT NULL,             -- JSON
    cancelling     INTEGER NOT NULL DEFAULT 0,
    worker         TEXT,                      -- who holds it
    lease_until    INTEGER NOT NULL DEFAULT 0,
    fence          INTEGER NOT NULL DEFAULT 0,-- grows with every claim
    due_at         INTEGER NOT NULL,
    revision       INTEGER NOT NULL,
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL,
    ended_at       INTEGER,
    PRIMARY KEY (tenant, id),
    UNIQUE (tenant, active),
    UNIQUE (tenant, operation)
) STRICT, WITHOUT ROWID;

CREATE INDEX workflow_run_by_due ON workflow_run (due_at) WHERE state IN ('Queued', 'Running');

CREATE TABLE workflow_computer (
    tenant     TEXT NOT NULL,
    run        TEXT NOT NULL,
    place      INTEGER NOT NULL,              -- in the selection, from 0
    computer   TEXT NOT NULL,
    name       TEXT NOT NULL,
    outcome    TEXT,
    planned    TEXT,
    detail     TEXT NOT NULL,                 -- JSON
    attempts   INTEGER NOT NULL DEFAULT 0,
    settled_at INTEGER,
    PRIMARY KEY (tenant, run, place),
    FOREIGN KEY (tenant, run) REFERENCES workflow_run (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX workflow_computer_by_outcome ON workflow_computer (tenant, run, outcome);

CREATE TABLE workflow_step (
    tenant     TEXT NOT NULL,
    run        TEXT NOT NULL,
    number     INTEGER NOT NULL,
    name       TEXT NOT NULL,
    detail     TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at   INTEGER,
    PRIMARY KEY (tenant, run, number),
    FOREIGN KEY (tenant, run) REFERENCES workflow_run (tenant, id)
) STRICT, WITHOUT ROWID;

-- Entries that exports have made or adopted. What is not in here counts as adopted: a lost
-- database must not make deleting easy.
CREATE TABLE workflow_entry (
    tenant   TEXT NOT NULL REFERENCES tenant (id),
    list_key TEXT NOT NULL,
    key      TEXT NOT NULL,
    item_id  INTEGER NOT NULL,
    adopted  INTEGER NOT NULL,
    PRIMARY KEY (tenant, list_key, key)
) STRICT, WITHOUT ROWID;

-- What a person has chosen for a computer that several entries could be.
CREATE TABLE workflow_choice (
    tenant   TEXT NOT NULL REFERENCES tenant (id),
    list_key TEXT NOT NULL,
    computer TEXT NOT NULL,
    item_id  INTEGER,                         -- NULL: none of them
    PRIMARY KEY (tenant, list_key, computer)
) STRICT, WITHOUT ROWID;
