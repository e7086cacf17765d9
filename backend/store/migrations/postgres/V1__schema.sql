-- The schema: lists with their items, templates and types, the journal, the audit trail, remembered
-- operations; who may sign in; connections to other systems; computers, workflows and webhooks.
--
-- The tenant stands first in every key and every index, so that a PostgreSQL that spreads tables by
-- tenant needs no other schema; a test names the few exceptions. Every query names the tenant, but
-- for those that look for whose a credential is and for what is due or has ended.
--
-- Row-level security is the second line behind that: a session sees the rows of the tenant that it
-- is set to (`app.tenant`) and none without one. It binds the owner of the tables too, so the
-- server's role may own them, but must be neither superuser nor have BYPASSRLS.
--
-- Times are milliseconds since 1970 UTC. Columns that hold JSON (texts per language, actors,
-- locks, events) are TEXT, because what is hashed has to come back byte by byte; `column::jsonb`
-- reads them. Names compare by bytes (COLLATE "C"), whatever the database's own order.

-- What each node knows of a tenant's types and templates holds while the epoch is the same. The
-- one table without row-level security: by it the server finds the tenants that its own work
-- (pending refreshes, purge, verification) then does one by one.
CREATE TABLE catalogue (
    tenant TEXT COLLATE "C" PRIMARY KEY,
    epoch  BIGINT NOT NULL
) WITH (fillfactor = 50);

CREATE SEQUENCE checklist_number;

-- A list that was written at least once. A list that was never written is no row: it is
-- projected from its template.
CREATE TABLE checklist (
    tenant             TEXT COLLATE "C" NOT NULL,
    number             BIGINT NOT NULL,
    object_type        TEXT COLLATE "C" NOT NULL,
    object_id          TEXT COLLATE "C" NOT NULL,
    purpose            TEXT COLLATE "C" NOT NULL,
    revision           BIGINT NOT NULL,
    template_id        TEXT COLLATE "C",
    template_version   BIGINT,
    completion_rule    TEXT,
    locked             TEXT,               -- JSON: who, when, why
    reordered          BOOLEAN NOT NULL,   -- true once a person has moved items
    created_at         BIGINT NOT NULL,
    -- The newest revision at which an item was deleted that has been purged since: who holds
    -- an older one has to read the whole list again.
    purged_revision    BIGINT NOT NULL DEFAULT 0,
    -- The newest audit row and the newest journal entry of this list. Each names the one before,
    -- so the history of a list is a walk along rows; an index would cost every write a page.
    audit_sequence     BIGINT NOT NULL DEFAULT 0,
    journal_cursor     BIGINT NOT NULL DEFAULT 0,
    -- What has to be known of that entry while the next operation may continue it; else null.
    journal_actor      TEXT,
    journal_started_at BIGINT,
    journal_events     BIGINT,
    -- Not the tenant first: PostgreSQL takes the tenants of a young database for one row each, and
    -- along two indexes that begin alike it may then walk all lists of a tenant to find a number.
    PRIMARY KEY (number, tenant),
    UNIQUE (tenant, object_type, object_id, purpose)
) WITH (fillfactor = 60);

-- Lists are found by the beginning of an object's id, whatever its type.
CREATE INDEX checklist_by_object ON checklist (tenant, object_id, object_type, purpose);

-- Which lists follow which version: for a template's impact and the automatic refresh.
CREATE INDEX checklist_by_template ON checklist (tenant, template_id, template_version, number)
    WHERE template_id IS NOT NULL;

-- There is room in every page for the next version of a row: a tick changes no index.
CREATE TABLE item (
    tenant                      TEXT COLLATE "C" NOT NULL,
    checklist                   BIGINT NOT NULL,   -- its number; no reference: see its primary key
    id                          UUID NOT NULL,
    template_key                TEXT COLLATE "C",
    origin                      TEXT NOT NULL,
    kind                        TEXT NOT NULL,
    parent_id                   UUID,
    sort_key                    TEXT COLLATE "C" NOT NULL,
    text                        TEXT NOT NULL,   -- JSON: a string, or an object of languages
    help                        TEXT,            -- JSON, likewise
    text_overridden             BOOLEAN NOT NULL,
    template_text               TEXT,            -- JSON, likewise
    status                      TEXT NOT NULL,
    reason                      TEXT,
    status_by                   TEXT,            -- JSON: an actor
    status_at                   BIGINT,
    attested                    TEXT,            -- JSON: the wording that was confirmed
    required                    BOOLEAN NOT NULL,
    allow_not_applicable        BOOLEAN NOT NULL,
    not_applicable_needs_reason BOOLEAN NOT NULL,
    assignee                    TEXT,
    assignee_by_person          BOOLEAN NOT NULL,
    due                         BIGINT,
    due_by_person               BOOLEAN NOT NULL,
    note                        TEXT,
    version                     BIGINT NOT NULL,
    -- The version at which each aspect changed last: what conflicts are decided by.
    status_version              BIGINT NOT NULL,
    text_version                BIGINT NOT NULL,
    note_version                BIGINT NOT NULL,
    assignee_version            BIGINT NOT NULL,
    due_version                 BIGINT NOT NULL,
    place_version               BIGINT NOT NULL,
    revision                    BIGINT NOT NULL,
    created_by                  TEXT NOT NULL,   -- JSON: an actor
    created_at                  BIGINT NOT NULL,
    modified_by                 TEXT NOT NULL,   -- JSON: an actor
    modified_at                 BIGINT NOT NULL,
    retired_at                  BIGINT,
    deleted_at                  BIGINT,
    changed_since_checked       BOOLEAN NOT NULL,
    -- Due on a day instead of at a moment: days since 1970-01-01, without a time zone. At most one
    -- of due and due_day is set.
    due_day                     BIGINT,
    PRIMARY KEY (tenant, checklist, id)
) WITH (fillfactor = 80);

-- A template item stands in a list once, whoever comes first. The position has no such index:
-- unique positions would make every move a puzzle.
CREATE UNIQUE INDEX item_by_template_key ON item (tenant, checklist, template_key)
    WHERE template_key IS NOT NULL;

-- What the purge looks for.
CREATE INDEX item_deleted ON item (tenant, deleted_at) WHERE deleted_at IS NOT NULL;

-- Versions of templates. A published one never changes; at most one draft stands above them.
CREATE TABLE template_version (
    tenant       TEXT COLLATE "C" NOT NULL,
    template_id  TEXT COLLATE "C" NOT NULL,
    version      BIGINT NOT NULL,
    status       TEXT NOT NULL,       -- Draft or Published
    items        BIGINT NOT NULL,
    document     TEXT NOT NULL,       -- JSON: the template as it travels
    published_at BIGINT,
    published_by TEXT,                -- JSON: an actor
    PRIMARY KEY (tenant, template_id, version)
);

CREATE FUNCTION template_version_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a published template version never changes';
END
$$;

CREATE TRIGGER template_version_is_final BEFORE UPDATE ON template_version
    FOR EACH ROW WHEN (OLD.status = 'Published') EXECUTE FUNCTION template_version_is_final();

-- Published versions whose lists still have to be brought along, so that a restart goes on
-- where the server stopped.
CREATE TABLE pending_refresh (
    tenant      TEXT COLLATE "C" NOT NULL,
    template_id TEXT COLLATE "C" NOT NULL,
    version     BIGINT NOT NULL,
    PRIMARY KEY (tenant, template_id)
);

CREATE TABLE platform_type (
    tenant         TEXT COLLATE "C" NOT NULL,
    name           TEXT COLLATE "C" NOT NULL,
    classes        TEXT NOT NULL,     -- JSON: array of class names
    templates      TEXT NOT NULL,     -- JSON: object of purpose to template id
    always_journal BOOLEAN NOT NULL,
    PRIMARY KEY (tenant, name)
);

-- Answers that a repeated operation gets again, and what an undo puts back. The key is a digest,
-- so that the index stays small.
CREATE TABLE operation (
    number    BIGINT GENERATED ALWAYS AS IDENTITY,
    tenant    TEXT COLLATE "C" NOT NULL,
    key       BYTEA NOT NULL,          -- SHA-256 of scope, call, context and OperationId
    body_hash BYTEA NOT NULL,
    used      BIGINT NOT NULL,         -- the permissions that the operation made use of
    at        BIGINT NOT NULL,
    packed    BYTEA NOT NULL,          -- answer and undo record, both JSON
    PRIMARY KEY (tenant, key)
);

-- Packed by the server already: it has to be written with every tick, so each byte counts.
ALTER TABLE operation ALTER COLUMN packed SET STORAGE EXTERNAL;

-- Rows are appended in the order of time, so the ranges of a few pages tell the old ones.
CREATE INDEX operation_by_time ON operation USING brin (tenant, at);

-- Where a tenant's logs end. Taken last by every writing transaction, held until it is
-- committed: so the chain has no gaps and whoever reads by cursor misses nothing.
CREATE TABLE log_head (
    tenant         TEXT COLLATE "C" PRIMARY KEY,
    audit_sequence BIGINT NOT NULL,
    journal_cursor BIGINT NOT NULL
) WITH (fillfactor = 50);

-- Append-only. Each row is a leaf of its tenant's Merkle tree, which commits to actor and words
-- with a salt each: value and salt can be deleted, then the commitment stands in their place. A row
-- names its list in full, so that it still speaks when the list is gone.
CREATE TABLE audit (
    tenant        TEXT COLLATE "C" NOT NULL,
    sequence      BIGINT NOT NULL,     -- from 1, without gaps
    list_previous BIGINT NOT NULL,     -- the row before of the same list, 0 for its first
    object_type   TEXT COLLATE "C" NOT NULL,
    object_id     TEXT COLLATE "C" NOT NULL,
    purpose       TEXT COLLATE "C" NOT NULL,
    revision      BIGINT NOT NULL,
    operation_id  TEXT,
    actor         TEXT,                -- JSON, hashed as it stands here
    actor_salt    BYTEA,
    actor_erased  BYTEA,               -- the commitment to an actor that was deleted
    at            BIGINT NOT NULL,
    event         TEXT NOT NULL,       -- what happened, without words: JSON, hashed as it stands here
    words         TEXT,                -- JSON, hashed as it stands here
    words_salt    BYTEA,
    words_erased  BYTEA,               -- the commitment to words that were deleted
    hash          BYTEA NOT NULL,      -- of the leaf
    PRIMARY KEY (tenant, sequence)
);

CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit trail is append-only';
END
$$;

CREATE TRIGGER audit_is_never_changed BEFORE UPDATE OR DELETE ON audit
    FOR EACH ROW EXECUTE FUNCTION audit_is_append_only();

CREATE TRIGGER audit_is_never_emptied BEFORE TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();

-- What administrators did: rows that belong to no list, few among many.
CREATE INDEX audit_of_administration ON audit (tenant, sequence) WHERE object_type = '';

-- Complete tiles of the tree (C2SP tlog-tiles): 256 hashes of rows, or of complete tiles of the level
-- below. What rows can tell is not stored.
CREATE TABLE audit_tile (
    tenant TEXT COLLATE "C" NOT NULL,
    level  BIGINT NOT NULL,
    number BIGINT NOT NULL,
    root   BYTEA NOT NULL,             -- the hash of these hashes
    hashes BYTEA NOT NULL,
    PRIMARY KEY (tenant, level, number)
);

-- Signed tree heads, each with its number from 1 on: of several nodes one makes it.
CREATE TABLE audit_checkpoint (
    tenant TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    size   BIGINT NOT NULL,            -- how many rows
    at     BIGINT NOT NULL,
    note   TEXT NOT NULL,              -- a signed note (C2SP)
    PRIMARY KEY (tenant, number)
);

-- The keys that sign them; the newest one signs, all of them are known for good.
CREATE TABLE audit_key (
    tenant     TEXT COLLATE "C" NOT NULL,
    number     BIGINT NOT NULL,
    verifier   TEXT NOT NULL,          -- the public half: NAME+ID+KEY
    created_at BIGINT NOT NULL,
    key_id     TEXT NOT NULL,          -- the vault key that has sealed
    sealed     BYTEA NOT NULL,         -- the private half
    PRIMARY KEY (tenant, number)
);

CREATE TRIGGER audit_tile_is_never_changed BEFORE UPDATE OR DELETE ON audit_tile
    FOR EACH ROW EXECUTE FUNCTION audit_is_append_only();

CREATE TRIGGER audit_tile_is_never_emptied BEFORE TRUNCATE ON audit_tile
    FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();

CREATE TRIGGER audit_checkpoint_is_never_changed BEFORE UPDATE OR DELETE ON audit_checkpoint
    FOR EACH ROW EXECUTE FUNCTION audit_is_append_only();

CREATE TRIGGER audit_checkpoint_is_never_emptied BEFORE TRUNCATE ON audit_checkpoint
    FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();

-- The host's readable log, in the order in which it is read. An entry that is continued moves
-- to a new cursor; what happened one by one stands in the audit trail.
CREATE TABLE journal (
    tenant         TEXT COLLATE "C" NOT NULL,
    cursor         BIGINT NOT NULL,
    id             BIGINT NOT NULL,    -- stays the same while an entry is continued
    list_previous  BIGINT NOT NULL,    -- cursor of the entry before of the same list, 0 for its first
    checklist      BIGINT NOT NULL,
    actor          TEXT NOT NULL,      -- JSON
    started_at     BIGINT NOT NULL,
    continued_at   BIGINT NOT NULL,
    done           BIGINT NOT NULL,    -- of the list, after the entry
    applicable     BIGINT NOT NULL,    -- likewise: the total without what does not apply
    events         BIGINT NOT NULL,    -- how many audit rows of the list, the last of them being
    audit_sequence BIGINT NOT NULL,    -- this one
    PRIMARY KEY (tenant, cursor)
) WITH (fillfactor = 80);

-- No index can be walked along by these policies. With `tenant = …` the planner may take a tenant for
-- small (a young database has told it nothing yet), and walk all of its rows to find the few whose
-- keys it was given. By this it looks up keys. Tables that are small say `tenant = …`.
DO $$
DECLARE
    guarded TEXT;
BEGIN
    FOREACH guarded IN ARRAY ARRAY['checklist', 'item', 'template_version', 'pending_refresh',
        'platform_type', 'operation', 'log_head', 'audit', 'audit_tile', 'audit_checkpoint',
        'audit_key', 'journal']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', guarded);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', guarded);
        EXECUTE format('CREATE POLICY one_tenant ON %I USING '
            '(tenant IS NOT DISTINCT FROM current_setting(''app.tenant'', true))', guarded);
    END LOOP;
END
$$;

-- Who may sign in: tenants, keys, people, sessions, and what was revoked. A secret is kept as its
-- SHA-256.
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
    -- The most that tokens of this key may allow, whatever they claim, and the only issuer that
    -- they may name. A key without permissions of its own allows the work on lists.
    issuer      TEXT,
    permissions TEXT,               -- JSON: array
    contexts    TEXT,               -- JSON: array
    used_at    BIGINT,              -- accurate to some minutes
    PRIMARY KEY (tenant, kid)
);

-- Keys, sessions, links and consents are found by what their holder brings, which names no tenant,
-- so that has an index of its own. It is the SHA-256 of a random secret.
CREATE TABLE api_key (
    tenant     TEXT COLLATE "C" NOT NULL REFERENCES tenant (id),
    id         TEXT COLLATE "C" NOT NULL,
    name       TEXT NOT NULL,
    secret     BYTEA NOT NULL,
    roles      TEXT NOT NULL,       -- JSON: array
    contexts   TEXT,                -- JSON: array
    created_by TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT,
    used_at    BIGINT,              -- accurate to some minutes
    PRIMARY KEY (tenant, id)
);

CREATE UNIQUE INDEX api_key_by_secret ON api_key (secret);
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
    -- What the person was given before this time has ended: it moves when they are kept out and
    -- when they are let in again.
    epoch      BIGINT NOT NULL DEFAULT 0,
    signed_in_at BIGINT,           -- the last sign-in on the built-in pages
    PRIMARY KEY (tenant, issuer, subject)
);

-- Who was deleted lately: registered again, the person does not get back what they were given before.
CREATE TABLE deleted_person (
    tenant     TEXT COLLATE "C" NOT NULL REFERENCES tenant (id),
    issuer     TEXT COLLATE "C" NOT NULL,
    subject    TEXT COLLATE "C" NOT NULL,
    deleted_at BIGINT NOT NULL,
    PRIMARY KEY (tenant, issuer, subject)
);

CREATE INDEX person_by_identity ON person (issuer, subject, created_at, tenant);

CREATE TABLE session (
    secret     BYTEA NOT NULL,
    tenant     TEXT COLLATE "C" NOT NULL,
    issuer     TEXT COLLATE "C" NOT NULL,
    subject    TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT NOT NULL,
    PRIMARY KEY (tenant, secret),
    FOREIGN KEY (tenant, issuer, subject) REFERENCES person (tenant, issuer, subject)
);

CREATE INDEX session_by_secret ON session (secret);
CREATE INDEX session_by_end ON session (tenant, expires_at);

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

-- One-time links that sign an administrator in who has no identity provider. The secret of the
-- link is kept as its SHA-256, and so is the cookie of the browser that has opened it first.
CREATE TABLE admin_link (
    secret     BYTEA NOT NULL,
    tenant     TEXT COLLATE "C" NOT NULL REFERENCES tenant (id),
    subject    TEXT COLLATE "C",   -- the local administrator; NULL makes a new one
    browser    BYTEA,              -- of the first visitor
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT,
    PRIMARY KEY (tenant, secret)
);

CREATE INDEX admin_link_by_secret ON admin_link (secret);

DO $$
DECLARE
    guarded TEXT;
BEGIN
    FOREACH guarded IN ARRAY ARRAY['embed_key', 'api_key', 'person', 'deleted_person', 'session',
        'revoked_token', 'admin_link']
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

-- Connections to other systems: what administrators have set up, sign-ins on their way through a
-- provider, and handles that stand for a connection for a while. What authenticates is sealed (vault),
-- and bound to tenant, connection and origin by that.

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
    state      BYTEA NOT NULL,
    browser    BYTEA NOT NULL,
    tenant     TEXT COLLATE "C" NOT NULL,
    connection TEXT COLLATE "C" NOT NULL,
    revision   BIGINT NOT NULL,
    actor      TEXT NOT NULL,
    verifier   BYTEA NOT NULL,                    -- sealed by what the browser keeps
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (tenant, state)
);

CREATE INDEX pending_consent_by_state ON pending_consent (state);

-- Few at a time, and gone after a while: the purge reads them all.
CREATE TABLE connection_handle (
    handle     BYTEA NOT NULL,                    -- SHA-256; what is sealed opens with the handle alone
    tenant     TEXT COLLATE "C" NOT NULL,
    actor      TEXT NOT NULL,
    sealed     BYTEA NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (tenant, handle)
);

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

-- The inventory of computers, which an export keeps a site list in step with.

CREATE TABLE computer (
    tenant     TEXT COLLATE "C" NOT NULL REFERENCES tenant (id),
    id         TEXT COLLATE "C" NOT NULL,
    name_key   TEXT COLLATE "C" NOT NULL,   -- the name in lower case: the order in which people see them
    status     TEXT COLLATE "C" NOT NULL,
    search     TEXT COLLATE "C" NOT NULL,   -- what a search looks through, in lower case, a field a line
    record     TEXT NOT NULL,               -- JSON: the computer as it travels
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant, id)
);

CREATE INDEX computer_by_name ON computer (tenant, name_key, id);

ALTER TABLE computer ENABLE ROW LEVEL SECURITY;
ALTER TABLE computer FORCE ROW LEVEL SECURITY;
CREATE POLICY one_tenant ON computer
    USING (tenant IS NOT DISTINCT FROM current_setting('app.tenant', true));

-- Runs of workflows: what was asked for, what became of each computer, who is at it; and what
-- exports know of the entries of lists.

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

CREATE INDEX workflow_run_by_due ON workflow_run (tenant, due_at) WHERE state IN ('Queued', 'Running');

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

-- Webhooks: where events go, and each event on its way there. A delivery is written in the
-- transaction of the change that it tells of. What a webhook signs with is sealed (vault).

CREATE TABLE webhook (
    tenant        TEXT COLLATE "C" NOT NULL REFERENCES tenant (id),
    id            TEXT COLLATE "C" NOT NULL,     -- UUID
    name          TEXT NOT NULL,
    url           TEXT NOT NULL,
    origin        TEXT NOT NULL,                 -- of the url: deliveries to one are counted together
    events        TEXT NOT NULL,                 -- JSON: names of events
    enabled       BOOLEAN NOT NULL,
    off_because   TEXT,                          -- why the server has turned it off
    failing_since BIGINT,                        -- the first failure since the last success
    key_id        TEXT NOT NULL,                 -- which key of the vault has sealed
    sealed        BYTEA NOT NULL,
    created_by    TEXT NOT NULL,
    revision      BIGINT NOT NULL,
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL,
    PRIMARY KEY (tenant, id)
);

CREATE TABLE webhook_delivery (
    tenant       TEXT COLLATE "C" NOT NULL,
    id           TEXT COLLATE "C" NOT NULL,      -- UUIDv7: a later one is greater
    webhook      TEXT COLLATE "C" NOT NULL,
    event        TEXT COLLATE "C" NOT NULL,
    body         TEXT NOT NULL,                  -- JSON, exactly as it is sent
    state        TEXT COLLATE "C" NOT NULL DEFAULT 'Pending',
    tries        BIGINT NOT NULL DEFAULT 0,      -- since it was made or replayed: how long it waits
    attempts     BIGINT NOT NULL DEFAULT 0,      -- in all
    last_status  BIGINT,
    last_failure TEXT,
    due_at       BIGINT NOT NULL,
    lease_until  BIGINT NOT NULL DEFAULT 0,      -- somebody is sending it
    fence        BIGINT NOT NULL DEFAULT 0,      -- grows with every claim
    created_at   BIGINT NOT NULL,
    settled_at   BIGINT,
    PRIMARY KEY (tenant, id),
    FOREIGN KEY (tenant, webhook) REFERENCES webhook (tenant, id) ON DELETE CASCADE
);

CREATE INDEX webhook_delivery_by_due ON webhook_delivery (tenant, webhook, due_at)
    WHERE state = 'Pending';
CREATE INDEX webhook_delivery_by_webhook ON webhook_delivery (tenant, webhook, id);

CREATE TABLE webhook_attempt (
    tenant   TEXT COLLATE "C" NOT NULL,
    delivery TEXT COLLATE "C" NOT NULL,
    number   BIGINT NOT NULL,
    at       BIGINT NOT NULL,
    millis   BIGINT NOT NULL,
    status   BIGINT,
    failure  TEXT,
    request  TEXT,                 -- JSON: address and headers
    response TEXT,                 -- JSON: headers and the start of the body
    PRIMARY KEY (tenant, delivery, number),
    FOREIGN KEY (tenant, delivery) REFERENCES webhook_delivery (tenant, id) ON DELETE CASCADE
);

DO $$
DECLARE
    guarded TEXT;
BEGIN
    FOREACH guarded IN ARRAY ARRAY['webhook', 'webhook_delivery', 'webhook_attempt']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', guarded);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', guarded);
        EXECUTE format('CREATE POLICY one_tenant ON %I USING (tenant = current_setting(''app.tenant'', true))', guarded);
    END LOOP;
END
$$;

-- Whoever looks for work does not know yet whose it is: it sees that there is some, in the view
-- that credentials are judged in, and changes nothing there.
CREATE POLICY any_tenants_webhook ON webhook FOR SELECT
    USING (current_setting('app.sign_in', true) = 'on');
CREATE POLICY any_tenants_delivery ON webhook_delivery FOR SELECT
    USING (current_setting('app.sign_in', true) = 'on');
