-- Open items that somebody is asked about: those with an assignee, a due date or a proposal, in the
-- orders in which they are looked for. Triggers keep the rows, so that whatever writes an item keeps
-- them, and so that a tick of any other item writes no index.
CREATE TABLE open_item (
    tenant    TEXT NOT NULL,
    checklist INTEGER NOT NULL REFERENCES checklist (number),
    id        BLOB NOT NULL,
    assignee  TEXT,
    -- Milliseconds since 1970 UTC; a day ends when it ends in UTC; the largest integer for none.
    due       INTEGER NOT NULL,
    -- Since when a status is proposed.
    proposed  INTEGER,
    PRIMARY KEY (tenant, checklist, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX open_item_by_assignee ON open_item (tenant, assignee, due, checklist, id)
    WHERE assignee IS NOT NULL;
CREATE INDEX open_item_by_due ON open_item (tenant, due, checklist, id);
CREATE INDEX open_item_by_proposal ON open_item (tenant, proposed, checklist, id)
    WHERE proposed IS NOT NULL;

INSERT INTO open_item
SELECT tenant, checklist, id, assignee,
       coalesce(due, (due_day + 1) * 86400000 - 1, 9223372036854775807), proposed_at
FROM item
WHERE kind = 'Item' AND status = 'Open' AND retired_at IS NULL AND deleted_at IS NULL
  AND coalesce(assignee, due, due_day, proposed_at) IS NOT NULL;

CREATE TRIGGER open_item_is_added AFTER INSERT ON item
WHEN NEW.kind = 'Item' AND NEW.status = 'Open' AND NEW.retired_at IS NULL AND NEW.deleted_at IS NULL
    AND coalesce(NEW.assignee, NEW.due, NEW.due_day, NEW.proposed_at) IS NOT NULL
BEGIN
    INSERT INTO open_item VALUES (NEW.tenant, NEW.checklist, NEW.id, NEW.assignee,
        coalesce(NEW.due, (NEW.due_day + 1) * 86400000 - 1, 9223372036854775807), NEW.proposed_at);
END;

CREATE TRIGGER open_item_changes
AFTER UPDATE OF kind, status, retired_at, deleted_at, assignee, due, due_day, proposed_at ON item
WHEN coalesce(OLD.assignee, OLD.due, OLD.due_day, OLD.proposed_at,
              NEW.assignee, NEW.due, NEW.due_day, NEW.proposed_at) IS NOT NULL
    AND (OLD.kind, OLD.status, OLD.retired_at, OLD.deleted_at, OLD.assignee, OLD.due, OLD.due_day,
         OLD.proposed_at)
        IS NOT
        (NEW.kind, NEW.status, NEW.retired_at, NEW.deleted_at, NEW.assignee, NEW.due, NEW.due_day,
         NEW.proposed_at)
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

CREATE TRIGGER open_item_is_purged AFTER DELETE ON item
WHEN coalesce(OLD.assignee, OLD.due, OLD.due_day, OLD.proposed_at) IS NOT NULL
BEGIN
    DELETE FROM open_item
    WHERE tenant = OLD.tenant AND checklist = OLD.checklist AND id = OLD.id;
END;
