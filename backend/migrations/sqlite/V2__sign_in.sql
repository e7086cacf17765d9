-- Who may sign in: tenants, keys, people, sessions, and what was revoked.
--
-- A secret is kept as its SHA-256. Times are milliseconds since 1970 UTC.

CREATE TABLE tenant (
    id         TEXT PRIMARY KEY NOT NULL,
    name       TEXT NOT NULL,
    epoch      INTEGER NOT NULL DEFAULT 0,   -- tokens and sessions from before have ended
    disabled   INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Public keys: of host platforms, and those that the server itself signs with.
CREATE TABLE embed_key (
    tenant     TEXT NOT NULL REFERENCES tenant (id),
    kid        TEXT NOT NULL,
    algorithm  TEXT NOT NULL,       -- EdDSA or ES256
    public_key TEXT NOT NULL,       -- JSON: a JWK
    origins    TEXT,                -- JSON: array
    own        INTEGER NOT NULL,    -- 1 when the server signs with it
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    PRIMARY KEY (tenant, kid)
) STRICT, WITHOUT ROWID;

CREATE TABLE api_key (
    id         TEXT PRIMARY KEY NOT NULL,
    tenant     TEXT NOT NULL REFERENCES tenant (id),
    name       TEXT NOT NULL,
    secret     BLOB NOT NULL UNIQUE,
    roles      TEXT NOT NULL,       -- JSON: array
    contexts   TEXT,                -- JSON: array
    created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX api_key_by_tenant ON api_key (tenant, created_at, id);

-- A person of an identity provider. The same one may be registered in several tenants.
CREATE TABLE user (
    tenant     TEXT NOT NULL REFERENCES tenant (id),
    issuer     TEXT NOT NULL,
    subject    TEXT NOT NULL,
    name       TEXT NOT NULL,
    roles      TEXT NOT NULL,       -- JSON: array
    disabled   INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, issuer, subject)
) STRICT, WITHOUT ROWID;

CREATE INDEX user_by_identity ON user (issuer, subject, created_at, tenant);

CREATE TABLE session (
    secret     BLOB PRIMARY KEY NOT NULL,
    tenant     TEXT NOT NULL,
    issuer     TEXT NOT NULL,
    subject    TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at    INTEGER NOT NULL,
    FOREIGN KEY (tenant, issuer, subject) REFERENCES user (tenant, issuer, subject)
) STRICT, WITHOUT ROWID;

CREATE INDEX session_by_end ON session (expires_at);

-- Sign-ins on their way through an identity provider.
CREATE TABLE pending_sign_in (
    state      BLOB PRIMARY KEY NOT NULL,
    browser    BLOB NOT NULL,
    nonce      TEXT NOT NULL,
    verifier   TEXT NOT NULL,
    tenant     TEXT,
    return_to  TEXT NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE revoked_token (
    tenant TEXT NOT NULL REFERENCES tenant (id),
    jti    TEXT NOT NULL,
    until  INTEGER NOT NULL,        -- no token of that id lives longer
    PRIMARY KEY (tenant, jti)
) STRICT, WITHOUT ROWID;

-- Grows with every change of tenants, keys, people and revoked tokens: how a node notices what
-- others have changed.
INSERT INTO meta (key, value) VALUES ('directory_version', '1');
