-- Runs of ApplyTemplate: what was asked for, who is at it, and what became of each list.
CREATE TABLE template_run (
    tenant      TEXT COLLATE "C" NOT NULL REFERENCES tenant (id),
    id          TEXT COLLATE "C" NOT NULL, -- UUIDv7: a later one is greater
    scope       TEXT COLLATE "C" NOT NULL, -- whose run it is: the caller's, as of operation ids
    state       TEXT COLLATE "C" NOT NULL,
    plan        TEXT NOT NULL, -- JSON: what was asked for, and by whom
    total       BIGINT NOT NULL,
    counts      TEXT NOT NULL, -- JSON
    stopping    BOOLEAN NOT NULL DEFAULT FALSE,
    problem     TEXT, -- JSON: why it failed
    worker      TEXT, -- who holds it
    lease_until BIGINT NOT NULL DEFAULT 0,
    fence       BIGINT NOT NULL DEFAULT 0, -- grows with every claim
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL,
    ended_at    BIGINT,
    PRIMARY KEY (tenant, id)
);

CREATE INDEX template_run_by_turn ON template_run (tenant, updated_at)
WHERE state IN ('Queued', 'Running');

CREATE TABLE template_run_list (
    tenant      TEXT COLLATE "C" NOT NULL,
    run         TEXT COLLATE "C" NOT NULL,
    place       BIGINT NOT NULL, -- in the request, from 0
    object_type TEXT NOT NULL,
    object_id   TEXT NOT NULL,
    purpose     TEXT NOT NULL,
    template    TEXT, -- that the context names
    outcome     TEXT COLLATE "C",
    items       BIGINT NOT NULL DEFAULT 0, -- how many are new
    problem     TEXT, -- JSON: why it was skipped
    PRIMARY KEY (tenant, run, place),
    FOREIGN KEY (tenant, run) REFERENCES template_run (tenant, id)
);

-- The next lists without an outcome, however many have one.
CREATE INDEX template_run_list_by_outcome ON template_run_list (tenant, run, outcome, place);

DO $$
DECLARE
    guarded TEXT;
BEGIN
    FOREACH guarded IN ARRAY ARRAY['template_run', 'template_run_list']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', guarded);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', guarded);
        EXECUTE format('CREATE POLICY one_tenant ON %I USING '
            '(tenant IS NOT DISTINCT FROM current_setting(''app.tenant'', true))', guarded);
    END LOOP;
END
$$;

-- A worker that looks for work does not know yet whose it is.
CREATE POLICY any_tenants_template_run ON template_run
    USING (current_setting('app.sign_in', true) = 'on');
