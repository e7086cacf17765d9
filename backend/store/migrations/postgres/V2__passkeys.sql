-- Passkeys of local administrators: the public halves of WebAuthn credentials. The id is the
-- credential's own, base64url, and so are the public key and the state (flags and counter).
CREATE TABLE passkey (
    tenant     TEXT COLLATE "C" NOT NULL,
    id         TEXT COLLATE "C" NOT NULL,
    issuer     TEXT COLLATE "C" NOT NULL,
    subject    TEXT COLLATE "C" NOT NULL,
    name       TEXT NOT NULL,
    public_key TEXT NOT NULL,
    state      TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    used_at    BIGINT,
    PRIMARY KEY (tenant, id),
    FOREIGN KEY (tenant, issuer, subject) REFERENCES person (tenant, issuer, subject)
);

CREATE UNIQUE INDEX passkey_by_id ON passkey (id);
CREATE INDEX passkey_by_person ON passkey (tenant, issuer, subject, created_at);

-- Challenges that browsers have been given and not answered yet, by their SHA-256.
CREATE TABLE pending_passkey (
    challenge  BYTEA PRIMARY KEY,
    session    BYTEA,               -- of the person who adds a passkey; NULL while signing in
    state      TEXT NOT NULL,
    expires_at BIGINT NOT NULL
);

ALTER TABLE passkey ENABLE ROW LEVEL SECURITY;
ALTER TABLE passkey FORCE ROW LEVEL SECURITY;
CREATE POLICY one_tenant ON passkey USING (tenant = current_setting('app.tenant', true)
    OR current_setting('app.sign_in', true) = 'on');

ALTER TABLE pending_passkey ENABLE ROW LEVEL SECURITY;
ALTER TABLE pending_passkey FORCE ROW LEVEL SECURITY;
CREATE POLICY on_its_way ON pending_passkey USING (current_setting('app.sign_in', true) = 'on');
