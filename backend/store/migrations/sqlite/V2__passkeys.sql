-- Passkeys of local administrators: the public halves of WebAuthn credentials. The id is the
-- credential's own, base64url, and so are the public key and the state (flags and counter).
CREATE TABLE passkey (
    tenant     TEXT NOT NULL,
    id         TEXT NOT NULL,
    issuer     TEXT NOT NULL,
    subject    TEXT NOT NULL,
    name       TEXT NOT NULL,
    public_key TEXT NOT NULL,
    state      TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    used_at    INTEGER,
    PRIMARY KEY (tenant, id),
    FOREIGN KEY (tenant, issuer, subject) REFERENCES person (tenant, issuer, subject)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX passkey_by_id ON passkey (id);
CREATE INDEX passkey_by_person ON passkey (tenant, issuer, subject, created_at);

-- Challenges that browsers have been given and not answered yet, by their SHA-256.
CREATE TABLE pending_passkey (
    challenge  BLOB PRIMARY KEY NOT NULL,
    session    BLOB,                -- of the person who adds a passkey; NULL while signing in
    state      TEXT NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
