-- The schema: lists with their items, templates and types, the journal, the audit trail, remembered
-- operations; who may sign in; connections to other systems; computers, workflows and webhooks.
--
-- The tenant stands first in every key and every index, so that a PostgreSQL that spreads tables by
-- tenant needs no other schema; a test names the few exceptions. Every query names the tenant, but
-- for those that look for whose a credential is and for what is due or has ended.
--
-- Times are milliseconds since 1970 UTC. Columns that hold JSON (texts per language, actors, locks,
-- events) are read as a whole by the server and with `->>` by people.

-- What the database is, e.g. whether it belongs to a demonstration.
CREATE TABLE meta (
    key   TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A list that was written at least once. A list that was never written is no row: it is
-- projected from its template.
CREATE TABLE checklist (
    number           INTEGER PRIMARY KEY,
    tenant           TEXT NOT NULL,
    object_type      TEXT NOT NULL,
    object_id        TEXT NOT NULL,
    purpose          TEXT NOT NULL,
    revision         INTEGER NOT NULL,
    template_id      TEXT,
    template_version INTEGER,
    completion_rule  TEXT,
    locked           TEXT,               -- JSON: who, when, why
    reordered        INTEGER NOT NULL,   -- 1 once a person has moved items
    created_at       INTEGER NOT NULL,
    -- The newest revision at which an item was deleted that has been purged since: who holds
    -- an older one has to read the whole list again.
    purged_revision  INTEGER NOT NULL DEFAULT 0,
    -- The newest audit row and the newest journal entry of this list. Each names the one before,
    -- so the history of a list is a walk along rows; an index would cost every write a page.
    audit_sequence   INTEGER NOT NULL DEFAULT 0,
    journal_cursor   INTEGER NOT NULL DEFAULT 0,
    -- 1 while the next operation may continue that entry.
    journal_open     INTEGER NOT NULL DEFAULT 0,
    -- The newest operation that has changed the list, 0 for none. Each operation names the one
    -- before on its list, and a repeat is looked for among those of its own list: an index over the
    -- digests of all would cost every write a page of its own, because digests have no order.
    operation        INTEGER NOT NULL DEFAULT 0,
    UNIQUE (tenant, object_type, object_id, purpose)
) STRICT;

-- Lists are found by the beginning of an object's id, whatever its type.
CREATE INDEX checklist_by_object ON checklist (tenant, object_id, object_type, purpose);

-- Which lists follow which version: for a template's impact and the automatic refresh.
CREATE INDEX checklist_by_template ON checklist (tenant, template_id, template_version)
    WHERE template_id IS NOT NULL;

-- Clustered by list: reading a list touches neighbouring pages, however many lists there are.
CREATE TABLE item (
    tenant                      TEXT NOT NULL,
    checklist                   INTEGER NOT NULL REFERENCES checklist (number),
    id                          BLOB NOT NULL,
    template_key                TEXT,
    origin                      TEXT NOT NULL,
    kind                        TEXT NOT NULL,
    parent_id                   BLOB,
    sort_key                    TEXT NOT NULL,
    text                        TEXT NOT NULL,   -- JSON: a string, or an object of languages
    help                        TEXT,            -- JSON, likewise
    text_overridden             INTEGER NOT NULL,
    template_text               TEXT,            -- JSON, likewise
    status                      TEXT NOT NULL,
    reason                      TEXT,
    status_by                   TEXT,            -- JSON: an actor
    status_at                   INTEGER,
    attested                    TEXT,            -- JSON: the wording that was confirmed
    required                    INTEGER NOT NULL,
    allow_not_applicable        INTEGER NOT NULL,
    not_applicable_needs_reason INTEGER NOT NULL,
    assignee                    TEXT,
    assignee_by_person          INTEGER NOT NULL,
    due                         INTEGER,
    due_by_person               INTEGER NOT NULL,
    note                        TEXT,
    version                     INTEGER NOT NULL,
    -- The version at which each aspect changed last: what conflicts are decided by.
    status_version              INTEGER NOT NULL,
    text_version                INTEGER NOT NULL,
    note_version                INTEGER NOT NULL,
    assignee_version            INTEGER NOT NULL,
    due_version                 INTEGER NOT NULL,
    place_version               INTEGER NOT NULL,
    revision                    INTEGER NOT NULL,
    created_by                  TEXT NOT NULL,   -- JSON: an actor
    created_at                  INTEGER NOT NULL,
    modified_by                 TEXT NOT NULL,   -- JSON: an actor
    modified_at                 INTEGER NOT NULL,
    retired_at                  INTEGER,
    deleted_at                  INTEGER,
    changed_since_checked       INTEGER NOT NULL,
    -- Due on a day instead of at a moment: days since 1970-01-01, without a time zone. At most one
    -- of due and due_day is set.
    due_day                     INTEGER,
    PRIMARY KEY (tenant, checklist, id)
) STRICT, WITHOUT ROWID;

-- A template item stands in a list once, whoever comes first. The position has no such index:
-- unique positions would make every move a puzzle.
CREATE UNIQUE INDEX item_by_template_key ON item (tenant, checklist, template_key)
    WHERE template_key IS NOT NULL;

-- What the purge looks for.
CREATE INDEX item_deleted ON item (tenant, deleted_at) WHERE deleted_at IS NOT NULL;

-- Versions of templates. A published one never changes; at most one draft stands above them.
CREATE TABLE template_version (
    tenant       TEXT NOT NULL,
    template_id  TEXT NOT NULL,
    version      INTEGER NOT NULL,
    status       TEXT NOT NULL,       -- Draft or Published
    items        INTEGER NOT NULL,
    document     TEXT NOT NULL,       -- JSON: the template as it travels
    published_at INTEGER,
    published_by TEXT,                -- JSON: an actor
    PRIMARY KEY (tenant, template_id, version)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER template_version_is_final BEFORE UPDATE ON template_version
WHEN OLD.status = 'Published'
BEGIN
    SELECT RAISE(ABORT, 'a published template version never changes');
END;

-- Published versions whose lists still have to be brought along, so that a restart goes on
-- where the server stopped.
CREATE TABLE pending_refresh (
    tenant      TEXT NOT NULL,
    template_id TEXT NOT NULL,
    version     INTEGER NOT NULL,
    PRIMARY KEY (tenant, template_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE platform_type (
    tenant         TEXT NOT NULL,
    name           TEXT NOT NULL,
    classes        TEXT NOT NULL,     -- JSON: array of class names
    templates      TEXT NOT NULL,     -- JSON: object of purpose to template id
    always_journal INTEGER NOT NULL,
    PRIMARY KEY (tenant, name)
) STRICT, WITHOUT ROWID;

-- Answers that a repeated operation gets again, and what an undo puts back. Rows are appended.
CREATE TABLE operation (
    -- Never given twice, not even after a purge of all rows: lists keep the number of their newest
    -- operation for longer, and a chain that reached a newer row by it might never end.
    number        INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant        TEXT NOT NULL,
    key           BLOB NOT NULL,      -- SHA-256 of scope, call, context and OperationId
    body_hash     BLOB NOT NULL,
    used          INTEGER NOT NULL,   -- the permissions that the operation made use of
    at            INTEGER NOT NULL,
    list_previous INTEGER,            -- the one before of the same list, 0 for its first; NULL for
                                      -- one that changed nothing
    packed        BLOB NOT NULL       -- answer and undo record, both JSON
) STRICT;

-- The few that changed nothing hang on no list.
CREATE UNIQUE INDEX operation_by_key ON operation (tenant, key) WHERE list_previous IS NULL;

-- Append-only. Each row is a leaf of its tenant's Merkle tree, which commits to actor and words
-- with a salt each: value and salt can be deleted, then the commitment stands in their place. A row
-- names its list in full, so that it still speaks when the list is gone.
CREATE TABLE audit (
    tenant        TEXT NOT NULL,
    sequence      INTEGER NOT NULL,    -- from 1, without gaps
    list_previous INTEGER NOT NULL,    -- the row before of the same list, 0 for its first
    object_type   TEXT NOT NULL,
    object_id     TEXT NOT NULL,
    purpose       TEXT NOT NULL,
    revision      INTEGER NOT NULL,
    operation_id  TEXT,
    actor         TEXT,                -- JSON, hashed as it stands here
    actor_salt    BLOB,
    actor_erased  BLOB,                -- the commitment to an actor that was deleted
    at            INTEGER NOT NULL,
    event         TEXT NOT NULL,       -- what happened, without words: JSON, hashed as it stands here
    words         TEXT,                -- JSON, hashed as it stands here
    words_salt    BLOB,
    words_erased  BLOB,                -- the commitment to words that were deleted
    hash          BLOB NOT NULL,       -- of the leaf
    PRIMARY KEY (tenant, sequence)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

CREATE TRIGGER audit_is_never_deleted BEFORE DELETE ON audit
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

-- What administrators did: rows that belong to no list, few among many.
CREATE INDEX audit_of_administration ON audit (tenant, sequence) WHERE object_type = '';

-- Where each tenant's audit trail ends, apart from its rows: whoever deletes rows at the end, or
-- all of them, leaves an end that no row leads to. Written with every commit that appends.
CREATE TABLE audit_head (
    tenant   TEXT PRIMARY KEY NOT NULL,
    sequence INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER audit_head_only_grows BEFORE UPDATE ON audit_head
WHEN NEW.tenant <> OLD.tenant OR NEW.sequence <= OLD.sequence
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

CREATE TRIGGER audit_head_is_never_deleted BEFORE DELETE ON audit_head
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

-- Complete tiles of the tree (C2SP tlog-tiles): 256 hashes of rows, or of complete tiles of the level
-- below. What rows can tell is not stored.
CREATE TABLE audit_tile (
    tenant TEXT NOT NULL,
    level  INTEGER NOT NULL,
    number INTEGER NOT NULL,
    root   BLOB NOT NULL,              -- the hash of these hashes
    hashes BLOB NOT NULL,
    PRIMARY KEY (tenant, level, number)
) STRICT, WITHOUT ROWID;

-- Signed tree heads, each with its number from 1 on: of several nodes one makes it.
CREATE TABLE audit_checkpoint (
    tenant TEXT NOT NULL,
    number INTEGER NOT NULL,
    size   INTEGER NOT NULL,           -- how many rows
    at     INTEGER NOT NULL,
    note   TEXT NOT NULL,              -- a signed note (C2SP)
    PRIMARY KEY (tenant, number)
) STRICT, WITHOUT ROWID;

-- The keys that sign them; the newest one signs, all of them are known for good.
CREATE TABLE audit_key (
    tenant     TEXT NOT NULL,
    number     INTEGER NOT NULL,
    verifier   TEXT NOT NULL,          -- the public half: NAME+ID+KEY
    created_at INTEGER NOT NULL,
    key_id     TEXT NOT NULL,          -- the vault key that has sealed
    sealed     BLOB NOT NULL,          -- the private half
    PRIMARY KEY (tenant, number)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER audit_tile_is_never_changed BEFORE UPDATE ON audit_tile
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

CREATE TRIGGER audit_tile_is_never_deleted BEFORE DELETE ON audit_tile
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

CREATE TRIGGER audit_checkpoint_is_never_changed BEFORE UPDATE ON audit_checkpoint
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

CREATE TRIGGER audit_checkpoint_is_never_deleted BEFORE DELETE ON audit_checkpoint
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

-- The host's readable log, in the order in which it is read. An entry that is continued moves
-- to a new cursor; what happened one by one stands in the audit trail.
CREATE TABLE journal (
    tenant         TEXT NOT NULL,
    cursor         INTEGER NOT NULL,
    id             INTEGER NOT NULL,    -- stays the same while an entry is continued
    list_previous  INTEGER NOT NULL,    -- cursor of the entry before of the same list, 0 for its first
    checklist      INTEGER NOT NULL,
    actor          TEXT NOT NULL,       -- JSON
    started_at     INTEGER NOT NULL,
    continued_at   INTEGER NOT NULL,
    done           INTEGER NOT NULL,    -- of the list, after the entry
    applicable     INTEGER NOT NULL,    -- likewise: the total without what does not apply
    events         INTEGER NOT NULL,    -- how many audit rows of the list, the last of them being
    audit_sequence INTEGER NOT NULL,    -- this one
    PRIMARY KEY (tenant, cursor)
) STRICT, WITHOUT ROWID;

-- Who may sign in: tenants, keys, people, sessions, and what was revoked. A secret is kept as its
-- SHA-256.

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
    -- The most that tokens of this key may allow, whatever they claim, and the only issuer that
    -- they may name. A key without permissions of its own allows the work on lists.
    issuer      TEXT,
    permissions TEXT,               -- JSON: array
    contexts    TEXT,               -- JSON: array
    used_at    INTEGER,              -- accurate to some minutes
    PRIMARY KEY (tenant, kid)
) STRICT, WITHOUT ROWID;

-- Keys, sessions, links and consents are found by what their holder brings, which names no tenant,
-- so that has an index of its own. It is the SHA-256 of a random secret.
CREATE TABLE api_key (
    tenant     TEXT NOT NULL REFERENCES tenant (id),
    id         TEXT NOT NULL,
    name       TEXT NOT NULL,
    secret     BLOB NOT NULL,
    roles      TEXT NOT NULL,       -- JSON: array
    contexts   TEXT,                -- JSON: array
    created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    used_at    INTEGER,              -- accurate to some minutes
    PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX api_key_by_secret ON api_key (secret);
CREATE INDEX api_key_by_tenant ON api_key (tenant, created_at, id);

-- A person of an identity provider. The same one may be registered in several tenants.
CREATE TABLE person (
    tenant     TEXT NOT NULL REFERENCES tenant (id),
    issuer     TEXT NOT NULL,
    subject    TEXT NOT NULL,
    name       TEXT NOT NULL,
    roles      TEXT NOT NULL,       -- JSON: array
    disabled   INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    -- What the person was given before this time has ended: it moves when they are kept out and
    -- when they are let in again.
    epoch      INTEGER NOT NULL DEFAULT 0,
    signed_in_at INTEGER,           -- the last sign-in on the built-in pages
    PRIMARY KEY (tenant, issuer, subject)
) STRICT, WITHOUT ROWID;

-- Who was deleted lately: registered again, the person does not get back what they were given before.
CREATE TABLE deleted_person (
    tenant     TEXT NOT NULL,
    issuer     TEXT NOT NULL,
    subject    TEXT NOT NULL,
    deleted_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, issuer, subject)
) STRICT, WITHOUT ROWID;

CREATE INDEX person_by_identity ON person (issuer, subject, created_at, tenant);

CREATE TABLE session (
    secret     BLOB NOT NULL,
    tenant     TEXT NOT NULL,
    issuer     TEXT NOT NULL,
    subject    TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at    INTEGER NOT NULL,
    PRIMARY KEY (tenant, secret),
    FOREIGN KEY (tenant, issuer, subject) REFERENCES person (tenant, issuer, subject)
) STRICT, WITHOUT ROWID;

CREATE INDEX session_by_secret ON session (secret);
CREATE INDEX session_by_end ON session (tenant, expires_at);

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

-- One-time links that sign an administrator in who has no identity provider. The secret of the
-- link is kept as its SHA-256, and so is the cookie of the browser that has opened it first.
CREATE TABLE admin_link (
    secret     BLOB NOT NULL,
    tenant     TEXT NOT NULL REFERENCES tenant (id),
    subject    TEXT,               -- the local administrator; NULL makes a new one
    browser    BLOB,               -- of the first visitor
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at    INTEGER,
    PRIMARY KEY (tenant, secret)
) STRICT, WITHOUT ROWID;

CREATE INDEX admin_link_by_secret ON admin_link (secret);

-- Grows with every change of tenants, keys, people and revoked tokens: how a node notices what
-- others have changed. One row.
CREATE TABLE directory (
    version INTEGER NOT NULL
) STRICT;
INSERT INTO directory (version) VALUES (1);

-- Connections to other systems: what administrators have set up, sign-ins on their way through a
-- provider, and handles that stand for a connection for a while. What authenticates is sealed (vault),
-- and bound to tenant, connection and origin by that.

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
    state      BLOB NOT NULL,
    browser    BLOB NOT NULL,
    tenant     TEXT NOT NULL,
    connection TEXT NOT NULL,
    revision   INTEGER NOT NULL,
    actor      TEXT NOT NULL,
    verifier   BLOB NOT NULL,             -- sealed by what the browser keeps
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, state)
) STRICT, WITHOUT ROWID;

CREATE INDEX pending_consent_by_state ON pending_consent (state);

-- Few at a time, and gone after a while: the purge reads them all.
CREATE TABLE connection_handle (
    handle     BLOB NOT NULL,             -- SHA-256; what is sealed opens with the handle alone
    tenant     TEXT NOT NULL,
    actor      TEXT NOT NULL,
    sealed     BLOB NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, handle)
) STRICT, WITHOUT ROWID;

-- The inventory of computers, which an export keeps a site list in step with.

CREATE TABLE computer (
    tenant     TEXT NOT NULL REFERENCES tenant (id),
    id         TEXT NOT NULL,
    name_key   TEXT NOT NULL,       -- the name in lower case: the order in which people see them
    status     TEXT NOT NULL,
    search     TEXT NOT NULL,       -- what a search looks through, in lower case, a field a line
    record     TEXT NOT NULL,       -- JSON: the computer as it travels
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX computer_by_name ON computer (tenant, name_key, id);

-- Runs of workflows: what was asked for, what became of each computer, who is at it; and what
-- exports know of the entries of lists.

CREATE TABLE workflow_run (
    tenant         TEXT NOT NULL REFERENCES tenant (id),
    id             TEXT NOT NULL,             -- UUIDv7: a later one is greater
    list_key       TEXT NOT NULL,             -- what the list is told apart by
    active         TEXT,                      -- the same until the run has ended: one at a time
    operation      TEXT,
    operation_body BLOB,                      -- SHA-256 of what was asked for
    state          TEXT NOT NULL,
    plan           TEXT NOT NULL,             -- JSON: what was asked for
    progress       TEXT NOT NULL,             -- JSON: what the run has found out
    total          INTEGER NOT NULL,
    counts         TEXT NOT NULL,             -- JSON
    cancelling     INTEGER NOT NULL DEFAULT 0,
    worker         TEXT,                      -- who holds it
    lease_until    INTEGER NOT NULL DEFAULT 0,
    fence          INTEGER NOT NULL DEFAULT 0,-- grows with every claim
    due_at         INTEGER NOT NULL,
    revision       INTEGER NOT NULL,
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL,
    ended_at       INTEGER,
    PRIMARY KEY (tenant, id),
    UNIQUE (tenant, active),
    UNIQUE (tenant, operation)
) STRICT, WITHOUT ROWID;

CREATE INDEX workflow_run_by_due ON workflow_run (tenant, due_at) WHERE state IN ('Queued', 'Running');

CREATE TABLE workflow_computer (
    tenant     TEXT NOT NULL,
    run        TEXT NOT NULL,
    place      INTEGER NOT NULL,              -- in the selection, from 0
    computer   TEXT NOT NULL,
    name       TEXT NOT NULL,
    outcome    TEXT,
    planned    TEXT,
    detail     TEXT NOT NULL,                 -- JSON
    attempts   INTEGER NOT NULL DEFAULT 0,
    settled_at INTEGER,
    PRIMARY KEY (tenant, run, place),
    FOREIGN KEY (tenant, run) REFERENCES workflow_run (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX workflow_computer_by_outcome ON workflow_computer (tenant, run, outcome);

CREATE TABLE workflow_step (
    tenant     TEXT NOT NULL,
    run        TEXT NOT NULL,
    number     INTEGER NOT NULL,
    name       TEXT NOT NULL,
    detail     TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at   INTEGER,
    PRIMARY KEY (tenant, run, number),
    FOREIGN KEY (tenant, run) REFERENCES workflow_run (tenant, id)
) STRICT, WITHOUT ROWID;

-- Entries that exports have made or adopted. What is not in here counts as adopted: a lost
-- database must not make deleting easy.
CREATE TABLE workflow_entry (
    tenant   TEXT NOT NULL REFERENCES tenant (id),
    list_key TEXT NOT NULL,
    key      TEXT NOT NULL,
    item_id  INTEGER NOT NULL,
    adopted  INTEGER NOT NULL,
    PRIMARY KEY (tenant, list_key, key)
) STRICT, WITHOUT ROWID;

-- What a person has chosen for a computer that several entries could be.
CREATE TABLE workflow_choice (
    tenant   TEXT NOT NULL REFERENCES tenant (id),
    list_key TEXT NOT NULL,
    computer TEXT NOT NULL,
    item_id  INTEGER,                         -- NULL: none of them
    PRIMARY KEY (tenant, list_key, computer)
) STRICT, WITHOUT ROWID;

-- Webhooks: where events go, and each event on its way there. A delivery is written in the
-- transaction of the change that it tells of. What a webhook signs with is sealed (vault).

CREATE TABLE webhook (
    tenant        TEXT NOT NULL REFERENCES tenant (id),
    id            TEXT NOT NULL,             -- UUID
    name          TEXT NOT NULL,
    url           TEXT NOT NULL,
    origin        TEXT NOT NULL,             -- of the url: deliveries to one are counted together
    events        TEXT NOT NULL,             -- JSON: names of events
    enabled       INTEGER NOT NULL,
    off_because   TEXT,                      -- why the server has turned it off
    failing_since INTEGER,                   -- the first failure since the last success
    key_id        TEXT NOT NULL,             -- which key of the vault has sealed
    sealed        BLOB NOT NULL,
    created_by    TEXT NOT NULL,
    revision      INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE webhook_delivery (
    tenant       TEXT NOT NULL,
    id           TEXT NOT NULL,              -- UUIDv7: a later one is greater
    webhook      TEXT NOT NULL,
    event        TEXT NOT NULL,
    body         TEXT NOT NULL,              -- JSON, exactly as it is sent
    state        TEXT NOT NULL DEFAULT 'Pending',
    tries        INTEGER NOT NULL DEFAULT 0, -- since it was made or replayed: how long it waits
    attempts     INTEGER NOT NULL DEFAULT 0, -- in all
    last_status  INTEGER,
    last_failure TEXT,
    due_at       INTEGER NOT NULL,
    lease_until  INTEGER NOT NULL DEFAULT 0, -- somebody is sending it
    fence        INTEGER NOT NULL DEFAULT 0, -- grows with every claim
    created_at   INTEGER NOT NULL,
    settled_at   INTEGER,
    PRIMARY KEY (tenant, id),
    FOREIGN KEY (tenant, webhook) REFERENCES webhook (tenant, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX webhook_delivery_by_due ON webhook_delivery (tenant, webhook, due_at)
    WHERE state = 'Pending';
CREATE INDEX webhook_delivery_by_webhook ON webhook_delivery (tenant, webhook, id);

CREATE TABLE webhook_attempt (
    tenant   TEXT NOT NULL,
    delivery TEXT NOT NULL,
    number   INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    millis   INTEGER NOT NULL,
    status   INTEGER,
    failure  TEXT,
    request  TEXT,                 -- JSON: address and headers
    response TEXT,                 -- JSON: headers and the start of the body
    PRIMARY KEY (tenant, delivery, number),
    FOREIGN KEY (tenant, delivery) REFERENCES webhook_delivery (tenant, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
