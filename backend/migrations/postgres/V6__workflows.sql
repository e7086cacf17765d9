-- Runs of workflows: what was asked for, what became of each computer, who is at it; and what
-- exports know of the entries of lists.
--
-- Times are milliseconds since 1970 UTC.

CREATE TABLE workflow_run (
    tenant         TEXT COLLATE "C" NOT NULL REFERENCES tenant (id),
    id             TEXT COLLATE "C" NOT NULL,     -- UUIDv7: a later one is greater
    list_key       TEXT COLLATE "C" NOT NULL,     -- what the list is told apart by
    active         TEXT COLLATE "C",              -- the same until the run has ended: one at a time
    operation      TEXT COLLATE "C",
    operation_body BYTEA,                         -- SHA-256 of what was asked for
    state          TEXT COLLATE "C" NOT NULL,
    plan           TEXT NOT NULL,                 -- JSON: what was asked for
    progress       TEXT NOT NULL,                 -- JSON: what the run has found out
    total          BIGINT NOT NULL,
    counts         TEXT NOT NULL,                 -- JSON
    cancelling     BOOLEAN NOT NULL DEFAULT FALSE,
    worker         TEXT,                          -- who holds it
    lease_until    BIGINT NOT NULL DEFAULT 0,
    fence          BIGINT NOT NULL DEFAULT 0,     -- grows with every claim
    due_at         BIGINT NOT NULL,
    revision       BIGINT NOT NULL,
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL,
    ended_at       BIGINT,
    PRIMARY KEY (tenant, id),
    UNIQUE (tenant, active),
    UNIQUE (tenant, operation)
);

CREATE INDEX workflow_run_by_due ON workflow_run (due_at) WHERE state IN ('Queued', 'Running');

CREATE TABLE workflow_computer (
    tenant     TEXT COLLATE "C" NOT NULL,
    run        TEXT COLLATE "C" NOT NULL,
    place      BIGINT NOT NULL,                   -- in the selection, from 0
    computer   TEXT NOT NULL,
    name       TEXT NOT NULL,
    outcome    TEXT COLLATE "C",
    planned    TEXT,
    detail     TEXT NOT NULL,                     -- JSON
    attempts   BIGINT NOT NULL DEFAULT 0,
    settled_at BIGINT,
    PRIMARY KEY (tenant, run, place),
    FOREIGN KEY (tenant, run) REFERENCES workflow_run (tenant, id)
);

CREATE INDEX workflow_computer_by_outcome ON workflow_computer (tenant, run, outcome);

CREATE TABLE workflow_step (
    tenant     TEXT COLLATE "C" NOT NULL,
    run        TEXT COLLATE "C" NOT NULL,
    number     BIGINT NOT NULL,
    name       TEXT NOT NULL,
    detail     TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    ended_at   BIGINT,
    PRIMARY KEY (tenant, run, number),
    FOREIGN KEY (tenant, run) REFERENCES workflow_run (tenant, id)
);

-- Entries that exports have made or adopted. What is not in here counts as adopted: a lost
-- database must not make deleting easy.
CREATE TABLE workflow_entry (
    tenant   TEXT COLLATE "C" NOT NULL REFERENCES tenant (id),
    list_key TEXT COLLATE "C" NOT NULL,
    key      TEXT COLLATE "C" NOT NULL,
    item_id  BIGINT NOT NULL,
    adopted  BOOLEAN NOT NULL,
    PRIMARY KEY (tenant, list_key, key)
);

-- What a person has chosen for a computer that several entries could be.
CREATE TABLE workflow_choice (
    tenant   TEXT COLLATE "C" NOT NULL REFERENCES tenant (id),
    list_key TEXT COLLATE "C" NOT NULL,
    computer TEXT COLLATE "C" NOT NULL,
    item_id  BIGINT,                              -- NULL: none of them
    PRIMARY KEY (tenant, list_key, computer)
);

DO $$
DECLARE
    guarded TEXT;
BEGIN
    FOREACH guarded IN ARRAY ARRAY['workflow_run', 'workflow_computer', 'workflow_step',
        'workflow_entry', 'workflow_choice']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', guarded);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', guarded);
        EXECUTE format('CREATE POLICY one_tenant ON %I USING (tenant = current_setting(''app.tenant'', true))', guarded);
    END LOOP;
END
$$;

-- A worker that looks for work does not know yet whose it is: it sees runs, and nothing else of
-- any tenant, in the view that credentials are judged in.
CREATE POLICY any_tenants_work ON workflow_run USING (current_setting('app.sign_in', true) = 'on');
