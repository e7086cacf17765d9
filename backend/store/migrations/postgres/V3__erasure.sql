-- Erasure of people. Value and salt of a row of the audit trail can be deleted, and the commitment to
-- them takes their place; everything that is in its leaf stays, so every proof of it holds.

CREATE FUNCTION audit_keeps_its_leaf() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        RAISE EXCEPTION 'the audit trail is append-only';
    END IF;
    IF (NEW.tenant, NEW.sequence, NEW.list_previous, NEW.object_type, NEW.object_id, NEW.purpose,
        NEW.revision, NEW.operation_id, NEW.at, NEW.event, NEW.hash)
        IS DISTINCT FROM
       (OLD.tenant, OLD.sequence, OLD.list_previous, OLD.object_type, OLD.object_id, OLD.purpose,
        OLD.revision, OLD.operation_id, OLD.at, OLD.event, OLD.hash)
    OR ((NEW.actor, NEW.actor_salt, NEW.actor_erased)
            IS DISTINCT FROM (OLD.actor, OLD.actor_salt, OLD.actor_erased)
        AND (NEW.actor, NEW.actor_salt, NEW.actor_erased) IS DISTINCT FROM
            (NULL::text, NULL::bytea, sha256(OLD.actor_salt || convert_to(OLD.actor, 'UTF8'))))
    OR ((NEW.words, NEW.words_salt, NEW.words_erased)
            IS DISTINCT FROM (OLD.words, OLD.words_salt, OLD.words_erased)
        AND (NEW.words, NEW.words_salt, NEW.words_erased) IS DISTINCT FROM
            (NULL::text, NULL::bytea, sha256(OLD.words_salt || convert_to(OLD.words, 'UTF8'))))
    THEN
        RAISE EXCEPTION 'the audit trail is append-only';
    END IF;
    RETURN NEW;
END
$$;

DROP TRIGGER audit_is_never_changed ON audit;

CREATE TRIGGER audit_is_never_changed BEFORE UPDATE OR DELETE ON audit
    FOR EACH ROW EXECUTE FUNCTION audit_keeps_its_leaf();

DROP TRIGGER template_version_is_final ON template_version;

CREATE TRIGGER template_version_is_final BEFORE UPDATE ON template_version
    FOR EACH ROW WHEN (OLD.status = 'Published' AND
        (NEW.tenant, NEW.template_id, NEW.version, NEW.status, NEW.items, NEW.document, NEW.published_at)
        IS DISTINCT FROM
        (OLD.tenant, OLD.template_id, OLD.version, OLD.status, OLD.items, OLD.document, OLD.published_at))
    EXECUTE FUNCTION template_version_is_final();

-- Who was erased lately: tokens from before have ended, and what was written meanwhile is erased
-- as well. Gone after an hour.
CREATE TABLE erased_person (
    tenant    TEXT COLLATE "C" NOT NULL,
    issuer    TEXT COLLATE "C" NOT NULL,
    subject   TEXT COLLATE "C" NOT NULL,
    erased_at BIGINT NOT NULL,
    PRIMARY KEY (tenant, issuer, subject)
);

-- How long a tenant keeps names, which texts are erased with them, and how far that is done.
CREATE TABLE retention (
    tenant        TEXT COLLATE "C" PRIMARY KEY,
    personal_days BIGINT,                     -- NULL: for ever
    texts         TEXT NOT NULL,              -- JSON: array of kinds of texts
    erased_to     BIGINT NOT NULL DEFAULT 0,  -- the last row of the audit trail that was looked at
    erased_at     BIGINT                      -- when; NULL: not since the decision
);

ALTER TABLE erased_person ENABLE ROW LEVEL SECURITY;
ALTER TABLE erased_person FORCE ROW LEVEL SECURITY;
CREATE POLICY one_tenant ON erased_person USING (tenant = current_setting('app.tenant', true)
    OR current_setting('app.sign_in', true) = 'on');

ALTER TABLE retention ENABLE ROW LEVEL SECURITY;
ALTER TABLE retention FORCE ROW LEVEL SECURITY;
CREATE POLICY one_tenant ON retention USING (tenant = current_setting('app.tenant', true)
    OR current_setting('app.sign_in', true) = 'on');
