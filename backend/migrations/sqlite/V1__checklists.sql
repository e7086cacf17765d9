-- The first layout: lists and their items, templates and types, the journal, the audit trail,
-- and the operations that a repeat is recognised by.
--
-- Every table carries the tenant in its key, and every query names it. Times are milliseconds
-- since 1970 UTC. Columns that hold JSON (texts per language, actors, locks, events) are read
-- as a whole by the server and with `->>` by people.

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
    UNIQUE (tenant, object_type, object_id, purpose)
) STRICT;

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
    PRIMARY KEY (tenant, checklist, id)
) STRICT, WITHOUT ROWID;

-- A template item stands in a list once, whoever comes first. The position has no such index:
-- unique positions would make every move a puzzle.
CREATE UNIQUE INDEX item_by_template_key ON item (tenant, checklist, template_key)
    WHERE template_key IS NOT NULL;

-- What the purge looks for.
CREATE INDEX item_deleted ON item (deleted_at) WHERE deleted_at IS NOT NULL;

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

-- Answers that a repeated operation gets again, and what an undo puts back. Rows are appended;
-- the key is a digest, so that the one index stays small.
CREATE TABLE operation (
    number    INTEGER PRIMARY KEY,
    tenant    TEXT NOT NULL,
    key       BLOB NOT NULL,          -- SHA-256 of scope, call, context and OperationId
    body_hash BLOB NOT NULL,
    used      INTEGER NOT NULL,       -- the permissions that the operation made use of
    answer    TEXT NOT NULL,          -- JSON
    undo      TEXT NOT NULL,          -- JSON
    at        INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX operation_by_key ON operation (tenant, key);

-- Append-only; each row's hash covers the row before. It names its list in full, so that it
-- still speaks when the list is gone.
CREATE TABLE audit (
    tenant        TEXT NOT NULL,
    sequence      INTEGER NOT NULL,    -- from 1, without gaps
    list_previous INTEGER NOT NULL,    -- the row before of the same list, 0 for its first
    object_type   TEXT NOT NULL,
    object_id     TEXT NOT NULL,
    purpose       TEXT NOT NULL,
    revision      INTEGER NOT NULL,
    operation_id  TEXT,
    actor         TEXT NOT NULL,       -- JSON, hashed as it stands here
    at            INTEGER NOT NULL,
    event         TEXT NOT NULL,       -- JSON, hashed as it stands here
    hash          BLOB NOT NULL,
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
