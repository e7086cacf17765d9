-- Which open items wait to be announced as due or overdue, and what was announced. The rows of
-- `due_item` follow those of `open_item`, so whatever writes an item keeps them. When there may be
-- something to announce is a guess that is never late; what is announced the server decides.
ALTER TABLE template_version ADD COLUMN due_notice BIGINT; -- milliseconds before the due date

CREATE TABLE due_item (
    tenant    TEXT COLLATE "C" NOT NULL,
    checklist BIGINT NOT NULL,
    id        BYTEA NOT NULL,
    due       BIGINT NOT NULL, -- as in open_item
    look_at   BIGINT NOT NULL, -- nothing is to be announced before
    PRIMARY KEY (tenant, checklist, id)
);

-- What is due at the same time stands list by list: a list's items are announced together.
CREATE INDEX due_item_by_time ON due_item (tenant, look_at, checklist, id);

-- What was announced for a due date of an item. A row stays as long as its item, whatever happens to
-- the item's status and due date: that is why nothing is announced twice.
CREATE TABLE due_announcement (
    tenant    TEXT COLLATE "C" NOT NULL,
    checklist BIGINT NOT NULL,
    id        BYTEA NOT NULL,
    due       BIGINT NOT NULL,
    overdue   BOOLEAN NOT NULL, -- false: as due, true: as overdue
    PRIMARY KEY (tenant, checklist, id, due)
);

-- The rows of all tenants, which their owner sees while it is not held to the policy.
ALTER TABLE open_item NO FORCE ROW LEVEL SECURITY;

-- What is overdue by now is no news.
INSERT INTO due_announcement
SELECT tenant, checklist, id, due, true FROM open_item
WHERE due < (extract(epoch FROM now()) * 1000)::bigint;

INSERT INTO due_item
SELECT tenant, checklist, id, due, due + 1 FROM open_item
WHERE due >= (extract(epoch FROM now()) * 1000)::bigint AND due < 9223372036854775807;

ALTER TABLE open_item FORCE ROW LEVEL SECURITY;

DO $$
DECLARE
    guarded TEXT;
BEGIN
    FOREACH guarded IN ARRAY ARRAY['due_item', 'due_announcement']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', guarded);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', guarded);
        EXECUTE format('CREATE POLICY one_tenant ON %I USING '
            '(tenant IS NOT DISTINCT FROM current_setting(''app.tenant'', true))', guarded);
    END LOOP;
END
$$;

-- Whoever looks for work sees whose there is, in the view that credentials are judged in.
CREATE POLICY any_tenants_due_item ON due_item FOR SELECT
    USING (current_setting('app.sign_in', true) = 'on');

CREATE FUNCTION due_item_follows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        DELETE FROM due_item
        WHERE tenant = OLD.tenant AND checklist = OLD.checklist AND id = OLD.id;
    ELSE
        INSERT INTO due_item VALUES (NEW.tenant, NEW.checklist, NEW.id, NEW.due, NEW.due - coalesce(
            (SELECT v.due_notice FROM checklist c JOIN template_version v
                 ON v.tenant = c.tenant AND v.template_id = c.template_id AND v.version = c.template_version
             WHERE c.tenant = NEW.tenant AND c.number = NEW.checklist), -1));
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER due_item_is_added AFTER INSERT ON open_item FOR EACH ROW
WHEN (NEW.due < 9223372036854775807) EXECUTE FUNCTION due_item_follows();

CREATE TRIGGER due_item_is_removed AFTER DELETE ON open_item FOR EACH ROW
WHEN (OLD.due < 9223372036854775807) EXECUTE FUNCTION due_item_follows();

CREATE FUNCTION due_notice_follows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE due_item SET look_at = due - coalesce(
        (SELECT v.due_notice FROM template_version v
         WHERE v.tenant = NEW.tenant AND v.template_id = NEW.template_id
             AND v.version = NEW.template_version), -1)
    WHERE tenant = NEW.tenant AND checklist = NEW.number;
    RETURN NULL;
END
$$;

CREATE TRIGGER due_notice_changes AFTER UPDATE OF template_id, template_version ON checklist FOR EACH ROW
WHEN ((OLD.template_id, OLD.template_version) IS DISTINCT FROM (NEW.template_id, NEW.template_version))
EXECUTE FUNCTION due_notice_follows();

CREATE FUNCTION due_announcement_is_purged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM due_announcement
    WHERE tenant = OLD.tenant AND checklist = OLD.checklist AND id = uuid_send(OLD.id);
    RETURN NULL;
END
$$;

CREATE TRIGGER due_announcement_is_purged AFTER DELETE ON item FOR EACH ROW
EXECUTE FUNCTION due_announcement_is_purged();
