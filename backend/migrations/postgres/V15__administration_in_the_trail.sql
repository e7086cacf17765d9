-- What administrators did: rows that belong to no list, few among many.
CREATE INDEX audit_of_administration ON audit (tenant, sequence) WHERE object_type = '';

-- One-time links that sign an administrator in who has no identity provider. The secret of the
-- link is kept as its SHA-256, and so is the cookie of the browser that has opened it first.
CREATE TABLE admin_link (
    secret     BYTEA PRIMARY KEY,
    tenant     TEXT COLLATE "C" NOT NULL REFERENCES tenant (id),
    subject    TEXT COLLATE "C",   -- the local administrator; NULL makes a new one
    browser    BYTEA,              -- of the first visitor
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT
);

CREATE INDEX admin_link_by_end ON admin_link (expires_at);

ALTER TABLE admin_link ENABLE ROW LEVEL SECURITY;
ALTER TABLE admin_link FORCE ROW LEVEL SECURITY;
CREATE POLICY one_tenant ON admin_link USING (tenant = current_setting('app.tenant', true)
    OR current_setting('app.sign_in', true) = 'on');
