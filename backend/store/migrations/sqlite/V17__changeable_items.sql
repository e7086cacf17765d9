-- What of the definition of items (kind, required, help) a list's template lets people change, what of it
-- people have set, and the version of the item with which it changed last. Sets are numbers: the bits of
-- `DefinitionField`.
ALTER TABLE checklist ADD COLUMN changeable INTEGER NOT NULL DEFAULT 0;
ALTER TABLE item ADD COLUMN definition_by_person INTEGER NOT NULL DEFAULT 0;
ALTER TABLE item ADD COLUMN definition_version INTEGER NOT NULL DEFAULT 0;
