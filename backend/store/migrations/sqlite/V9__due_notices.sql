-- Which open items wait to be announced as due or overdue, and what was announced. The rows of
-- `due_item` follow those of `open_item`, so whatever writes an item keeps them. When there may be
-- something to announce is a guess that is never late; what is announced the server decides.
ALTER TABLE template_version ADD COLUMN due_notice INTEGER; -- milliseconds before the due date

CREATE TABLE due_item (
    tenant    TEXT NOT NULL,
    checklist INTEGER NOT NULL REFERENCES checklist (number),
    id        BLOB NOT NULL,
    due       INTEGER NOT NULL, -- as in open_item
    look_at   INTEGER NOT NULL, -- nothing is to be announced before
    PRIMARY KEY (tenant, checklist, id)
) STRICT, WITHOUT ROWID;

-- What is due at the same time stands list by list: a list's items are announced together.
CREATE INDEX due_item_by_time ON due_item (tenant, look_at, checklist, id);

-- What was announced for a due date of an item. A row stays as long as its item, whatever happens to
-- the item's status and due date: that is why nothing is announced twice.
CREATE TABLE due_announcement (
    tenant    TEXT NOT NULL,
    checklist INTEGER NOT NULL REFERENCES checklist (number),
    id        BLOB NOT NULL,
    due       INTEGER NOT NULL,
    overdue   INTEGER NOT NULL, -- 0: as due, 1: as overdue
    PRIMARY KEY (tenant, checklist, id, due)
) STRICT, WITHOUT ROWID;

-- What is overdue by now is no news.
INSERT INTO due_announcement
SELECT tenant, checklist, id, due, 1 FROM open_item
WHERE due < CAST(unixepoch('subsec') * 1000 AS INTEGER);

INSERT INTO due_item
SELECT tenant, checklist, id, due, due + 1 FROM open_item
WHERE due >= CAST(unixepoch('subsec') * 1000 AS INTEGER) AND due < 9223372036854775807;

CREATE TRIGGER due_item_is_added AFTER INSERT ON open_item
WHEN NEW.due < 9223372036854775807
BEGIN
    INSERT INTO due_item VALUES (NEW.tenant, NEW.checklist, NEW.id, NEW.due, NEW.due - coalesce(
        (SELECT v.due_notice FROM checklist c JOIN template_version v
             ON v.tenant = c.tenant AND v.template_id = c.template_id AND v.version = c.template_version
         WHERE c.tenant = NEW.tenant AND c.number = NEW.checklist), -1));
END;

CREATE TRIGGER due_item_is_removed AFTER DELETE ON open_item
WHEN OLD.due < 9223372036854775807
BEGIN
    DELETE FROM due_item
    WHERE tenant = OLD.tenant AND checklist = OLD.checklist AND id = OLD.id;
END;

CREATE TRIGGER due_notice_changes AFTER UPDATE OF template_id, template_version ON checklist
WHEN (OLD.template_id, OLD.template_version) IS NOT (NEW.template_id, NEW.template_version)
BEGIN
    UPDATE due_item SET look_at = due - coalesce(
        (SELECT v.due_notice FROM template_version v
         WHERE v.tenant = NEW.tenant AND v.template_id = NEW.template_id
             AND v.version = NEW.template_version), -1)
    WHERE tenant = NEW.tenant AND checklist = NEW.number;
END;

CREATE TRIGGER due_announcement_is_purged AFTER DELETE ON item
BEGIN
    DELETE FROM due_announcement
    WHERE tenant = OLD.tenant AND checklist = OLD.checklist AND id = OLD.id;
END;
