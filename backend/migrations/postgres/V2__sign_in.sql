-- Who may sign in: tenants, keys, people, sessions, and what was revoked.
--
-- A secret is kept as its SHA-256. Times are milliseconds since 1970 UTC.
--
-- A credential says only after it was found whose it is, so these tables are also open to a
-- session with `app.sign_in` = 'on'. The server sets it for looking up and changing who may sign
-- in, and never together with a tenant.

-- Grows with every change of tenants, keys, people and revoked tokens: how a node notices what
-- others have changed. One row.
CREATE TABLE directory (
    version BIGINT NOT NULL
);
INSERT INTO directory (version) VALUES (1);

CREATE TABLE tenant (
    id         TEXT COLLATE "C" PRIMARY KEY,
    name       TEXT NOT NULL,
    epoch      BIGINT NOT NULL DEFAULT 0,   -- tokens and sessions from before have ended
    disabled   BOOLEAN NOT NULL DEFAULT false,
    created_at BIGINT NOT NULL
);

-- Public keys: of host platforms, and those that the server itself signs with.
CREATE TABLE embed_key (
    tenant     TEXT COLLATE "C" NOT NULL REFERENCES tenant (id),
    kid        TEXT COLLATE "C" NOT NULL,
    algorithm  TEXT NOT NULL,       -- EdDSA or ES256
    public_key TEXT NOT NULL,       -- JSON: a JWK
    origins    TEXT,                -- JSON: array
    own        BOOLEAN NOT NULL,    -- true when the server signs with it
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT,
    PRIMARY KEY (tenant, kid)
);

CREATE TABLE api_key (
    id         TEXT COLLATE "C" PRIMARY KEY,
    tenant     TEXT COLLATE "C" NOT NULL REFERENCES tenant (id),
    name       TEXT NOT NULL,
    secret     BYTEA NOT NULL UNIQUE,
    roles      TEXT NOT NULL,       -- JSON: array
    contexts   TEXT,                -- JSON: array
    created_by TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT
);

CREATE INDEX api_key_by_tenant ON api_key (tenant, created_at, id);

-- A person of an identity provider. The same one may be registered in several tenants.
CREATE TABLE person (
    tenant     TEXT COLLATE "C" NOT NULL REFERENCES tenant (id),
    issuer     TEXT COLLATE "C" NOT NULL,
    subject    TEXT COLLATE "C" NOT NULL,
    name       TEXT NOT NULL,
    roles      TEXT NOT NULL,       -- JSON: array
    disabled   BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant, issuer, subject)
);

CREATE INDEX person_by_identity ON person (issuer, subject, created_at, tenant);

CREATE TABLE session (
    secret     BYTEA PRIMARY KEY,
    tenant     TEXT COLLATE "C" NOT NULL,
    issuer     TEXT COLLATE "C" NOT NULL,
    subject    TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT NOT NULL,
    FOREIGN KEY (tenant, issuer, subject) REFERENCES person (tenant, issuer, subject)
);

CREATE INDEX session_by_end ON session (expires_at);

-- Sign-ins on their way through an identity provider; they belong to no tenant yet.
CREATE TABLE pending_sign_in (
    state      BYTEA PRIMARY KEY,
    browser    BYTEA NOT NULL,
    nonce      TEXT NOT NULL,
    verifier   TEXT NOT NULL,
    tenant     TEXT,
    return_to  TEXT NOT NULL,
    expires_at BIGINT NOT NULL
);

CREATE TABLE revoked_token (
    tenant TEXT COLLATE "C" NOT NULL REFERENCES tenant (id),
    jti    TEXT COLLATE "C" NOT NULL,
    until  BIGINT NOT NULL,        -- no token of that id lives longer
    PRIMARY KEY (tenant, jti)
);

DO $$
DECLARE
    guarded TEXT;
BEGIN
    FOREACH guarded IN ARRAY ARRAY['embed_key', 'api_key', 'person', 'session', 'revoked_token']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', guarded);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', guarded);
        EXECUTE format('CREATE POLICY one_tenant ON %I USING (tenant = current_setting(''app.tenant'', true) '
            'OR current_setting(''app.sign_in'', true) = ''on'')', guarded);
    END LOOP;
END
$$;

ALTER TABLE tenant ENABLE ROW LEVEL SECURITY;
ALTER TABLE tenant FORCE ROW LEVEL SECURITY;
CREATE POLICY one_tenant ON tenant
    USING (id = current_setting('app.tenant', true) OR current_setting('app.sign_in', true) = 'on');

ALTER TABLE pending_sign_in ENABLE ROW LEVEL SECURITY;
ALTER TABLE pending_sign_in FORCE ROW LEVEL SECURITY;
CREATE POLICY on_its_way ON pending_sign_in USING (current_setting('app.sign_in', true) = 'on');
