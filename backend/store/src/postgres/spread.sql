-- Spreads every table whose keys begin with a tenant over hash partitions of the tenant, in one
-- transaction. Tables that are spread already stay as they are, so a newer layout is spread by
-- running this again. `app.partitions` says over how many.
--
-- Columns, keys, indexes, triggers, policies and references are read from the catalogue of the database
-- and made again. What an administrator has set besides (privileges of other roles, publications,
-- targets of statistics) is not. A table with a unique index without the tenant stays whole: what it
-- holds is unique among all tenants.
DO $$
DECLARE
    parts    CONSTANT INT := current_setting('app.partitions')::int;
    spread   REGCLASS[];
    one      RECORD;
    again    TEXT[];
    foreign_keys TEXT[] := '{}';
    name     TEXT;
    storage  TEXT;
    sentence TEXT;
    counted  TEXT;
BEGIN
    -- A table without the tenant in its primary key belongs to no tenant.
    SELECT coalesce(array_agg(c.oid::regclass ORDER BY c.relname), '{}') INTO spread
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant'
    JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary AND a.attnum = ANY (i.indkey)
    WHERE c.relkind = 'r' AND NOT c.relispartition
        AND c.relnamespace = current_schema()::regnamespace
        AND NOT EXISTS (
            SELECT FROM pg_index other
            WHERE other.indrelid = c.oid AND other.indisunique AND a.attnum <> ALL (other.indkey));

    -- References from and to these tables come back at the end, when all are spread.
    FOR one IN
        SELECT conrelid::regclass AS owner, conname, pg_get_constraintdef(oid) AS definition
        FROM pg_constraint
        WHERE contype = 'f' AND conparentid = 0
            AND (conrelid = ANY (spread) OR confrelid = ANY (spread))
        ORDER BY conrelid, conname
    LOOP
        foreign_keys := foreign_keys || format('ALTER TABLE %s ADD CONSTRAINT %I %s',
            one.owner, one.conname, one.definition);
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', one.owner, one.conname);
    END LOOP;

    FOR one IN
        SELECT c.oid, c.relname, c.relrowsecurity, c.relforcerowsecurity, c.reloptions
        FROM pg_class c WHERE c.oid = ANY (spread) ORDER BY c.relname
    LOOP
        name := one.relname;
        storage := coalesce(' WITH (' || array_to_string(one.reloptions, ', ') || ')', '');
        SELECT array_agg(sentences.sentence ORDER BY sentences.place, sentences.sentence) INTO again
        FROM (
            SELECT 1 AS place, format('ALTER TABLE %I ADD CONSTRAINT %I %s', name, conname,
                       pg_get_constraintdef(oid)) AS sentence
            FROM pg_constraint WHERE conrelid = one.oid AND contype IN ('p', 'u')
            UNION ALL
            SELECT 2, pg_get_indexdef(i.indexrelid)
            FROM pg_index i
            WHERE i.indrelid = one.oid
                AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid)
            UNION ALL
            SELECT 3, pg_get_triggerdef(oid)
            FROM pg_trigger WHERE tgrelid = one.oid AND NOT tgisinternal
            UNION ALL
            SELECT 4, format('CREATE POLICY %I ON %I AS %s FOR %s TO %s%s%s', p.policyname, name,
                       p.permissive, p.cmd,
                       (SELECT string_agg(CASE role WHEN 'public' THEN 'PUBLIC' ELSE quote_ident(role) END, ', ')
                        FROM unnest(p.roles) AS role),
                       coalesce(' USING (' || p.qual || ')', ''),
                       coalesce(' WITH CHECK (' || p.with_check || ')', ''))
            FROM pg_policies p WHERE p.schemaname = current_schema() AND p.tablename = name
        ) AS sentences;

        -- Its owner sees every tenant's rows while it is not held to the policy.
        EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I RENAME TO %I', name, name || '_whole');
        EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS '
            'INCLUDING GENERATED INCLUDING IDENTITY INCLUDING STORAGE INCLUDING COMMENTS) '
            'PARTITION BY HASH (tenant)', name, name || '_whole');
        FOR part IN 0 .. parts - 1 LOOP
            EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS %s, REMAINDER %s)%s',
                name || '_' || part, name, parts, part, storage);
            -- Nobody reads past the policies of the table.
            EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name || '_' || part);
            EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name || '_' || part);
        END LOOP;
        EXECUTE format('INSERT INTO %I OVERRIDING SYSTEM VALUE SELECT * FROM %I', name, name || '_whole');
        -- Numbers go on where they were.
        FOR counted IN SELECT attname FROM pg_attribute WHERE attrelid = one.oid AND attidentity <> '' LOOP
            EXECUTE format('SELECT setval(%L, greatest(1, nextval(%L)))',
                pg_get_serial_sequence(quote_ident(name), counted),
                pg_get_serial_sequence(quote_ident(name || '_whole'), counted));
        END LOOP;
        EXECUTE format('DROP TABLE %I', name || '_whole');
        FOREACH sentence IN ARRAY coalesce(again, '{}') LOOP
            EXECUTE sentence;
        END LOOP;
        -- What guards a statement guards those that name a partition as well.
        FOR sentence IN
            SELECT pg_get_triggerdef(oid) FROM pg_trigger
            WHERE tgrelid = to_regclass(quote_ident(name)) AND NOT tgisinternal AND tgtype & 1 = 0
        LOOP
            FOR part IN 0 .. parts - 1 LOOP
                EXECUTE regexp_replace(sentence, ' ON \S+ ', format(' ON %I ', name || '_' || part));
            END LOOP;
        END LOOP;
        IF one.relrowsecurity THEN
            EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        END IF;
        IF one.relforcerowsecurity THEN
            EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        END IF;
        EXECUTE format('ANALYZE %I', name);
    END LOOP;

    FOREACH sentence IN ARRAY foreign_keys LOOP
        EXECUTE sentence;
    END LOOP;
END
$$;
