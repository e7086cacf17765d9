-- Open items that somebody is asked about: those with an assignee, a due date or a proposal, in the
-- orders in which they are looked for. Triggers keep the rows, so that whatever writes an item keeps
-- them, and so that a tick of any other item writes no index.
CREATE TABLE open_item (
    tenant    TEXT COLLATE "C" NOT NULL,
    checklist BIGINT NOT NULL,
    id        BYTEA NOT NULL,
    assignee  TEXT COLLATE "C",
    -- Milliseconds since 1970 UTC; a day ends when it ends in UTC; the largest integer for none.
    due       BIGINT NOT NULL,
    -- Since when a status is proposed.
    proposed  BIGINT,
    PRIMARY KEY (tenant, checklist, id)
);

CREATE INDEX open_item_by_assignee ON open_item (tenant, assignee, due, checklist, id)
    WHERE assignee IS NOT NULL;
CREATE INDEX open_item_by_due ON open_item (tenant, due, checklist, id);
CREATE INDEX open_item_by_proposal ON open_item (tenant, proposed, checklist, id)
    WHERE proposed IS NOT NULL;

-- The rows of all tenants, which their owner sees while it is not held to the policy.
ALTER TABLE item NO FORCE ROW LEVEL SECURITY;

INSERT INTO open_item
SELECT tenant, checklist, uuid_send(id), assignee,
       coalesce(due, (due_day + 1) * 86400000 - 1, 9223372036854775807), proposed_at
FROM item
WHERE kind = 'Item' AND status = 'Open' AND retired_at IS NULL AND deleted_at IS NULL
  AND (assignee IS NOT NULL OR coalesce(due, due_day, proposed_at) IS NOT NULL);

ALTER TABLE item FORCE ROW LEVEL SECURITY;

ALTER TABLE open_item ENABLE ROW LEVEL SECURITY;
ALTER TABLE open_item FORCE ROW LEVEL SECURITY;
CREATE POLICY one_tenant ON open_item
    USING (tenant IS NOT DISTINCT FROM current_setting('app.tenant', true));

CREATE FUNCTION open_item_follows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM open_item
        WHERE tenant = OLD.tenant AND checklist = OLD.checklist AND id = uuid_send(OLD.id);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO open_item
        SELECT NEW.tenant, NEW.checklist, uuid_send(NEW.id), NEW.assignee,
               coalesce(NEW.due, (NEW.due_day + 1) * 86400000 - 1, 9223372036854775807),
               NEW.proposed_at
        WHERE NEW.kind = 'Item' AND NEW.status = 'Open' AND NEW.retired_at IS NULL
          AND NEW.deleted_at IS NULL
          AND (NEW.assignee IS NOT NULL OR coalesce(NEW.due, NEW.due_day, NEW.proposed_at) IS NOT NULL);
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER open_item_is_added AFTER INSERT ON item FOR EACH ROW
WHEN (NEW.assignee IS NOT NULL OR coalesce(NEW.due, NEW.due_day, NEW.proposed_at) IS NOT NULL)
EXECUTE FUNCTION open_item_follows();

CREATE TRIGGER open_item_changes
AFTER UPDATE OF kind, status, retired_at, deleted_at, assignee, due, due_day, proposed_at ON item
FOR EACH ROW
WHEN ((OLD.assignee IS NOT NULL OR NEW.assignee IS NOT NULL
       OR coalesce(OLD.due, OLD.due_day, OLD.proposed_at, NEW.due, NEW.due_day, NEW.proposed_at) IS NOT NULL)
    AND (OLD.kind, OLD.status, OLD.retired_at, OLD.deleted_at, OLD.assignee, OLD.due, OLD.due_day,
         OLD.proposed_at)
        IS DISTINCT FROM
        (NEW.kind, NEW.status, NEW.retired_at, NEW.deleted_at, NEW.assignee, NEW.due, NEW.due_day,
         NEW.proposed_at))
EXECUTE FUNCTION open_item_follows();

CREATE TRIGGER open_item_is_purged AFTER DELETE ON item FOR EACH ROW
WHEN (OLD.assignee IS NOT NULL OR coalesce(OLD.due, OLD.due_day, OLD.proposed_at) IS NOT NULL)
EXECUTE FUNCTION open_item_follows();
