-- An item may be due on a day instead of at a moment: days since 1970-01-01, without a time zone.
-- At most one of due and due_day is set.
ALTER TABLE item ADD COLUMN due_day BIGINT;
