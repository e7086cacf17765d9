-- Erasure of people. Value and salt of a row of the audit trail can be deleted; everything that is in
-- its leaf stays, so every proof of it holds.

DROP TRIGGER audit_is_never_changed;

CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
WHEN NOT (
    NEW.tenant IS OLD.tenant
    AND NEW.sequence IS OLD.sequence
    AND NEW.list_previous IS OLD.list_previous
    AND NEW.object_type IS OLD.object_type
    AND NEW.object_id IS OLD.object_id
    AND NEW.purpose IS OLD.purpose
    AND NEW.revision IS OLD.revision
    AND NEW.operation_id IS OLD.operation_id
    AND NEW.at IS OLD.at
    AND NEW.event IS OLD.event
    AND NEW.hash IS OLD.hash
    AND (NEW.actor IS OLD.actor AND NEW.actor_salt IS OLD.actor_salt
             AND NEW.actor_erased IS OLD.actor_erased
         OR OLD.actor IS NOT NULL AND NEW.actor IS NULL AND NEW.actor_salt IS NULL
             AND coalesce(length(NEW.actor_erased), 0) = 32)
    AND (NEW.words IS OLD.words AND NEW.words_salt IS OLD.words_salt
             AND NEW.words_erased IS OLD.words_erased
         OR OLD.words IS NOT NULL AND NEW.words IS NULL AND NEW.words_salt IS NULL
             AND coalesce(length(NEW.words_erased), 0) = 32)
)
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

DROP TRIGGER template_version_is_final;

CREATE TRIGGER template_version_is_final BEFORE UPDATE ON template_version
WHEN OLD.status = 'Published' AND NOT (
    NEW.tenant IS OLD.tenant AND NEW.template_id IS OLD.template_id AND NEW.version IS OLD.version
    AND NEW.status IS OLD.status AND NEW.items IS OLD.items AND NEW.document IS OLD.document
    AND NEW.published_at IS OLD.published_at
)
BEGIN
    SELECT RAISE(ABORT, 'a published template version never changes');
END;

-- Who was erased lately: tokens from before have ended, and what was written meanwhile is erased
-- as well. Gone after an hour.
CREATE TABLE erased_person (
    tenant    TEXT NOT NULL,
    issuer    TEXT NOT NULL,
    subject   TEXT NOT NULL,
    erased_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, issuer, subject)
) STRICT, WITHOUT ROWID;

-- How long a tenant keeps names, which texts are erased with them, and how far that is done.
CREATE TABLE retention (
    tenant        TEXT PRIMARY KEY NOT NULL,
    personal_days INTEGER,                     -- NULL: for ever
    texts         TEXT NOT NULL,               -- JSON: array of kinds of texts
    erased_to     INTEGER NOT NULL DEFAULT 0,  -- the last row of the audit trail that was looked at
    erased_at     INTEGER                      -- when; NULL: not since the decision
) STRICT, WITHOUT ROWID;
