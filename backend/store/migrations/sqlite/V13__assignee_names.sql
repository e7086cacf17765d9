-- The name of an assignee, where it is not its id. A typed name or a role has none: it is the id.
ALTER TABLE item ADD COLUMN assignee_name TEXT;
