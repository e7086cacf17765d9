-- Connections to other systems: what administrators have set up, sign-ins on their way through a
-- provider, and handles that stand for a connection for a while.
--
-- What authenticates is sealed (vault), and bound to tenant, connection and origin by that.
-- Times are milliseconds since 1970 UTC.

CREATE TABLE service_connection (
    tenant           TEXT NOT NULL REFERENCES tenant (id),
    id               TEXT NOT NULL,       -- UUID
    name             TEXT NOT NULL,
    name_key         TEXT NOT NULL,       -- the name as it has to be unique
    owner            TEXT NOT NULL,       -- who may change what authenticates: an actor's id
    owner_name       TEXT NOT NULL,
    origin           TEXT NOT NULL,
    settings         TEXT NOT NULL,       -- JSON: no secret among them
    key_id           TEXT,                -- which key of the vault has sealed
    sealed           BLOB,
    problem          TEXT,                -- why a person has to sign in again
    revision         INTEGER NOT NULL,
    refreshing_until INTEGER NOT NULL DEFAULT 0,
    created_at       INTEGER NOT NULL,
    updated_at       INTEGER NOT NULL,
    PRIMARY KEY (tenant, id),
    UNIQUE (tenant, name_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE pending_consent (
    state      BLOB PRIMARY KEY NOT NULL,
    browser    BLOB NOT NULL,
    tenant     TEXT NOT NULL,
    connection TEXT NOT NULL,
    revision   INTEGER NOT NULL,
    actor      TEXT NOT NULL,
    verifier   BLOB NOT NULL,             -- sealed by what the browser keeps
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE connection_handle (
    handle     BLOB PRIMARY KEY NOT NULL, -- SHA-256; what is sealed opens with the handle alone
    tenant     TEXT NOT NULL,
    actor      TEXT NOT NULL,
    sealed     BLOB NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX connection_handle_by_end ON connection_handle (expires_at);
