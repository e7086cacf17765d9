-- Operations that changed a list hang on that list, newest first, as its audit rows do: a repeat
-- is looked for among the operations of its own list. An index over the digests of all of them
-- would cost every write a page of its own, because digests have no order.

-- The newest operation that has changed the list, 0 for none.
ALTER TABLE checklist ADD COLUMN operation INTEGER NOT NULL DEFAULT 0;

-- The operation before of the same list, 0 for its first; NULL for one that changed nothing, and
-- for those remembered before this layout. These few are found by the index.
ALTER TABLE operation ADD COLUMN list_previous INTEGER;

-- Answer and undo record, packed; then the columns with their texts are empty. Those remembered
-- before this layout keep their texts for the day that they have left.
ALTER TABLE operation ADD COLUMN packed BLOB;

DROP INDEX operation_by_key;
CREATE UNIQUE INDEX operation_by_key ON operation (tenant, key) WHERE list_previous IS NULL;
