-- The first layout: lists and their items, templates and types, the journal, the audit trail,
-- and the operations that a repeat is recognised by.
--
-- Every table carries the tenant in its key, and every query names it. Row-level security is the
-- second line behind that: a session sees the rows of the tenant that it is set to
-- (`app.tenant`) and none without one. It binds the owner of the tables too, so the server's
-- role may own them, but must be neither superuser nor have BYPASSRLS.
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
    number             BIGINT PRIMARY KEY,
    tenant             TEXT COLLATE "C" NOT NULL,
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
    UNIQUE (tenant, object_type, object_id, purpose)
) WITH (fillfactor = 60);

-- Which lists follow which version: for a template's impact and the automatic refresh.
CREATE INDEX checklist_by_template ON checklist (tenant, template_id, template_version, number)
    WHERE template_id IS NOT NULL;

-- There is room in every page for the next version of a row: a tick changes no index.
CREATE TABLE item (
    tenant                      TEXT COLLATE "C" NOT NULL,
    checklist                   BIGINT NOT NULL REFERENCES checklist (number),
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
    PRIMARY KEY (checklist, id)
) WITH (fillfactor = 80);

-- A template item stands in a list once, whoever comes first. The position has no such index:
-- unique positions would make every move a puzzle.
CREATE UNIQUE INDEX item_by_template_key ON item (checklist, template_key)
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
    answer    TEXT NOT NULL,           -- JSON
    undo      TEXT NOT NULL,           -- JSON
    at        BIGINT NOT NULL,
    PRIMARY KEY (tenant, key)
);

-- Rows are appended in the order of time, so the ranges of a few pages tell the old ones.
CREATE INDEX operation_by_time ON operation USING brin (at);

-- Where a tenant's logs end. Taken last by every writing transaction, held until it is
-- committed: so the chain has no gaps and whoever reads by cursor misses nothing.
CREATE TABLE log_head (
    tenant         TEXT COLLATE "C" PRIMARY KEY,
    audit_sequence BIGINT NOT NULL,
    audit_hash     BYTEA NOT NULL,
    journal_cursor BIGINT NOT NULL
) WITH (fillfactor = 50);

-- Append-only; each row's hash covers the row before. It names its list in full, so that it
-- still speaks when the list is gone.
CREATE TABLE audit (
    tenant        TEXT COLLATE "C" NOT NULL,
    sequence      BIGINT NOT NULL,     -- from 1, without gaps
    list_previous BIGINT NOT NULL,     -- the row before of the same list, 0 for its first
    object_type   TEXT COLLATE "C" NOT NULL,
    object_id     TEXT COLLATE "C" NOT NULL,
    purpose       TEXT COLLATE "C" NOT NULL,
    revision      BIGINT NOT NULL,
    operation_id  TEXT,
    actor         TEXT NOT NULL,       -- JSON, hashed as it stands here
    at            BIGINT NOT NULL,
    event         TEXT NOT NULL,       -- JSON, hashed as it stands here
    hash          BYTEA NOT NULL,
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

DO $$
DECLARE
    guarded TEXT;
BEGIN
    FOREACH guarded IN ARRAY ARRAY['checklist', 'item', 'template_version', 'pending_refresh',
        'platform_type', 'operation', 'log_head', 'audit', 'journal']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', guarded);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', guarded);
        EXECUTE format('CREATE POLICY one_tenant ON %I USING (tenant = current_setting(''app.tenant'', true))',
            guarded);
    END LOOP;
END
$$;
