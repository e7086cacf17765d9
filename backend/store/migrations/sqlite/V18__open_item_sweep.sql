-- A tick takes no row out of `open_item`, and with it none out of `due_item`: what reads these tables
-- looks at the item as it is. Rows of resolved items are swept away a little later, along the audit
-- trail. An item that is opened again before that finds its row still there. A row of a resolved item
-- has the values of its item: any other change of the item takes it away at once.
DROP TRIGGER open_item_changes;

-- No column that a tick writes.
CREATE TRIGGER open_item_changes
AFTER UPDATE OF kind, retired_at, deleted_at, assignee, due, due_day, proposed_at ON item
WHEN coalesce(OLD.assignee, OLD.due, OLD.due_day, OLD.proposed_at,
              NEW.assignee, NEW.due, NEW.due_day, NEW.proposed_at) IS NOT NULL
    AND (OLD.kind, OLD.retired_at, OLD.deleted_at, OLD.assignee, OLD.due, OLD.due_day, OLD.proposed_at)
        IS NOT
        (NEW.kind, NEW.retired_at, NEW.deleted_at, NEW.assignee, NEW.due, NEW.due_day, NEW.proposed_at)
BEGIN
    DELETE FROM open_item
    WHERE tenant = OLD.tenant AND checklist = OLD.checklist AND id = OLD.id;
    INSERT INTO open_item
    SELECT NEW.tenant, NEW.checklist, NEW.id, NEW.assignee,
           coalesce(NEW.due, (NEW.due_day + 1) * 86400000 - 1, 9223372036854775807), NEW.proposed_at
    WHERE NEW.kind = 'Item' AND NEW.status = 'Open' AND NEW.retired_at IS NULL
      AND NEW.deleted_at IS NULL
      AND coalesce(NEW.assignee, NEW.due, NEW.due_day, NEW.proposed_at) IS NOT NULL;
END;

CREATE TRIGGER open_item_is_reopened AFTER UPDATE OF status ON item
WHEN NEW.status = 'Open' AND OLD.status <> 'Open'
    AND coalesce(NEW.assignee, NEW.due, NEW.due_day, NEW.proposed_at) IS NOT NULL
    AND NEW.kind = 'Item' AND NEW.retired_at IS NULL AND NEW.deleted_at IS NULL
BEGIN
    INSERT OR IGNORE INTO open_item VALUES (NEW.tenant, NEW.checklist, NEW.id, NEW.assignee,
        coalesce(NEW.due, (NEW.due_day + 1) * 86400000 - 1, 9223372036854775807), NEW.proposed_at);
END;

-- Up to which row of a tenant's audit trail the rows of resolved items are gone.
CREATE TABLE open_item_sweep (
    tenant   TEXT NOT NULL PRIMARY KEY,
    sequence INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO open_item_sweep SELECT tenant, sequence FROM audit_head;
