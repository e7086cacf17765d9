-- Items that need a person, and what is proposed for an item. Who proposed and when stand apart from
-- the rest, because they can be erased; all three are set, or none.
ALTER TABLE item ADD COLUMN needs_person INTEGER NOT NULL DEFAULT 0;
ALTER TABLE item ADD COLUMN proposal TEXT;         -- JSON: status, reason, evidence, versions
ALTER TABLE item ADD COLUMN proposed_by TEXT;      -- JSON: an actor
ALTER TABLE item ADD COLUMN proposed_at INTEGER;
