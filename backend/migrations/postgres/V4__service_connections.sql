-- Connections to other systems: what administrators have set up, sign-ins on their way through a
-- provider, and handles that stand for a connection for a while.
--
-- What authenticates is sealed (vault), and bound to tenant, connection and origin by that.
-- Times are milliseconds since 1970 UTC.

CREATE TABLE service_connection (
    tenant           TEXT COLLATE "C" NOT NULL REFERENCES tenant (id),
    id               TEXT COLLATE "C" NOT NULL,   -- UUID
    name             TEXT NOT NULL,
    name_key         TEXT COLLATE "C" NOT NULL,   -- the name as it has to be unique
    owner            TEXT NOT NULL,               -- who may change what authenticates: an actor's id
    owner_name       TEXT NOT NULL,
    origin           TEXT NOT NULL,
    settings         TEXT NOT NULL,               -- JSON: no secret among them
    key_id           TEXT,                        -- which key of the vault has sealed
    sealed           BYTEA,
    problem          TEXT,                        -- why a person has to sign in again
    revision         BIGINT NOT NULL,
    refreshing_until BIGINT NOT NULL DEFAULT 0,
    created_at       BIGINT NOT NULL,
    updated_at       BIGINT NOT NULL,
    PRIMARY KEY (tenant, id),
    UNIQUE (tenant, name_key)
);

CREATE TABLE pending_consent (
    state      BYTEA PRIMARY KEY,
    browser    BYTEA NOT NULL,
    tenant     TEXT COLLATE "C" NOT NULL,
    connection TEXT COLLATE "C" NOT NULL,
    revision   BIGINT NOT NULL,
    actor      TEXT NOT NULL,
    verifier   BYTEA NOT NULL,                    -- sealed by what the browser keeps
    expires_at BIGINT NOT NULL
);

CREATE TABLE connection_handle (
    handle     BYTEA PRIMARY KEY,                 -- SHA-256; what is sealed opens with the handle alone
    tenant     TEXT COLLATE "C" NOT NULL,
    actor      TEXT NOT NULL,
    sealed     BYTEA NOT NULL,
    expires_at BIGINT NOT NULL
);

CREATE INDEX connection_handle_by_end ON connection_handle (expires_at);

DO $$
DECLARE
    guarded TEXT;
BEGIN
    FOREACH guarded IN ARRAY ARRAY['service_connection', 'pending_consent', 'connection_handle']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', guarded);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', guarded);
        EXECUTE format('CREATE POLICY one_tenant ON %I USING (tenant = current_setting(''app.tenant'', true) '
            'OR current_setting(''app.sign_in'', true) = ''on'')', guarded);
    END LOOP;
END
$$;
