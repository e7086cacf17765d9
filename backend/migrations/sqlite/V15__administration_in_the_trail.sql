-- Where each tenant's audit trail ends, apart from its rows: whoever deletes rows at the end, or
-- all of them, leaves an end that no row leads to. Written with every commit that appends.
CREATE TABLE audit_head (
    tenant   TEXT PRIMARY KEY NOT NULL,
    sequence INTEGER NOT NULL,
    hash     BLOB NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO audit_head (tenant, sequence, hash)
SELECT a.tenant, a.sequence, a.hash FROM audit a
WHERE a.sequence = (SELECT max(b.sequence) FROM audit b WHERE b.tenant = a.tenant);

CREATE TRIGGER audit_head_only_grows BEFORE UPDATE ON audit_head
WHEN NEW.tenant <> OLD.tenant OR NEW.sequence <= OLD.sequence
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

CREATE TRIGGER audit_head_is_never_deleted BEFORE DELETE ON audit_head
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

-- What administrators did: rows that belong to no list, few among many.
CREATE INDEX audit_of_administration ON audit (tenant, sequence) WHERE object_type = '';

-- One-time links that sign an administrator in who has no identity provider. The secret of the
-- link is kept as its SHA-256, and so is the cookie of the browser that has opened it first.
CREATE TABLE admin_link (
    secret     BLOB PRIMARY KEY NOT NULL,
    tenant     TEXT NOT NULL REFERENCES tenant (id),
    subject    TEXT,               -- the local administrator; NULL makes a new one
    browser    BLOB,               -- of the first visitor
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at    INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX admin_link_by_end ON admin_link (expires_at);
