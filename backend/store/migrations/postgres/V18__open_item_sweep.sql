-- A tick takes no row out of `open_item`, and with it none out of `due_item`: what reads these tables
-- looks at the item as it is. Rows of resolved items are swept away a little later, along the audit
-- trail. An item that is opened again before that finds its row still there. A row of a resolved item
-- has the values of its item: any other change of the item takes it away at once.
DROP TRIGGER open_item_changes ON item;

-- No column that a tick writes.
CREATE TRIGGER open_item_changes
AFTER UPDATE OF kind, retired_at, deleted_at, assignee, due, due_day, proposed_at ON item
FOR EACH ROW
WHEN ((OLD.assignee IS NOT NULL OR NEW.assignee IS NOT NULL
       OR coalesce(OLD.due, OLD.due_day, OLD.proposed_at, NEW.due, NEW.due_day, NEW.proposed_at) IS NOT NULL)
    AND (OLD.kind, OLD.retired_at, OLD.deleted_at, OLD.assignee, OLD.due, OLD.due_day, OLD.proposed_at)
        IS DISTINCT FROM
        (NEW.kind, NEW.retired_at, NEW.deleted_at, NEW.assignee, NEW.due, NEW.due_day, NEW.proposed_at))
EXECUTE FUNCTION open_item_follows();

CREATE FUNCTION open_item_is_reopened() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.kind = 'Item' AND NEW.retired_at IS NULL AND NEW.deleted_at IS NULL THEN
        INSERT INTO open_item VALUES (NEW.tenant, NEW.checklist, uuid_send(NEW.id), NEW.assignee,
            coalesce(NEW.due, (NEW.due_day + 1) * 86400000 - 1, 9223372036854775807), NEW.proposed_at)
        ON CONFLICT (tenant, checklist, id) DO NOTHING;
    END IF;
    RETURN NULL;
END
$$;

-- Short, because each statement that updates a status prepares the condition anew.
CREATE TRIGGER open_item_is_reopened AFTER UPDATE OF status ON item FOR EACH ROW
WHEN (NEW.status = 'Open' AND OLD.status <> 'Open'
    AND (NEW.assignee IS NOT NULL OR coalesce(NEW.due, NEW.due_day, NEW.proposed_at) IS NOT NULL))
EXECUTE FUNCTION open_item_is_reopened();

-- As before, but for the condition on the list's tenant, which no index supports: the list is looked up
-- by its number also by a statement that was planned while there were few lists.
CREATE OR REPLACE FUNCTION due_item_follows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        DELETE FROM due_item
        WHERE tenant = OLD.tenant AND checklist = OLD.checklist AND id = OLD.id;
    ELSE
        INSERT INTO due_item VALUES (NEW.tenant, NEW.checklist, NEW.id, NEW.due, NEW.due - coalesce(
            (SELECT v.due_notice FROM checklist c JOIN template_version v
                 ON v.tenant = c.tenant AND v.template_id = c.template_id AND v.version = c.template_version
             WHERE c.tenant IS NOT DISTINCT FROM NEW.tenant AND c.number = NEW.checklist), -1));
    END IF;
    RETURN NULL;
END
$$;

-- Up to which row of a tenant's audit trail the rows of resolved items are gone.
CREATE TABLE open_item_sweep (
    tenant   TEXT COLLATE "C" PRIMARY KEY,
    sequence BIGINT NOT NULL
);

-- The rows of all tenants, which their owner sees while it is not held to the policy.
ALTER TABLE log_head NO FORCE ROW LEVEL SECURITY;

INSERT INTO open_item_sweep SELECT tenant, audit_sequence FROM log_head;

ALTER TABLE log_head FORCE ROW LEVEL SECURITY;

ALTER TABLE open_item_sweep ENABLE ROW LEVEL SECURITY;
ALTER TABLE open_item_sweep FORCE ROW LEVEL SECURITY;
CREATE POLICY one_tenant ON open_item_sweep
    USING (tenant IS NOT DISTINCT FROM current_setting('app.tenant', true));
