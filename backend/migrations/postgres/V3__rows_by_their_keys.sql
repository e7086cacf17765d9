-- The policies as they were, but so that no index can be walked along by them. With `tenant = …`
-- the planner may take a tenant for small (a young database has told it nothing yet), and walk all
-- of its rows to find the few whose keys it was given. By this it looks up keys.
--
-- The tables of signing in are small, and stay as they are.
DO $$
DECLARE
    guarded TEXT;
BEGIN
    FOREACH guarded IN ARRAY ARRAY['checklist', 'item', 'template_version', 'pending_refresh',
        'platform_type', 'operation', 'log_head', 'audit', 'journal']
    LOOP
        EXECUTE format('ALTER POLICY one_tenant ON %I USING '
            '(tenant IS NOT DISTINCT FROM current_setting(''app.tenant'', true))', guarded);
    END LOOP;
END
$$;

-- An operation's answer and undo record, packed by the server: it has to be written with every
-- tick, so each byte counts. Operations of before stand in `answer` and `undo` until they are
-- forgotten.
ALTER TABLE operation ADD COLUMN packed BYTEA;
ALTER TABLE operation ALTER COLUMN packed SET STORAGE EXTERNAL;
