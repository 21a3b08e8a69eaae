-- Locks the rows that the staged file names or can affect, in the global order: permissions, workspaces, groups, users,
-- each by key. Fills `import_locks`, `changed_permitting` and `users_affected`: the users in the file, holders of a
-- permission whose grants change, and members of a workspace or group whose permissions change.
--
-- A record that the file only mentions is locked against deletion, and assignments to it continue. A record in the file
-- is locked against other changes, and assignments to it continue as well. Only a permission whose grants change, and a
-- workspace or group whose permissions change, are locked exclusively, because the affected users are known only once
-- nobody can join.
--
-- Each record is locked once: raising a lock later can deadlock with a transaction that waits for the same row. So the
-- strength is chosen before the rows are locked, and must still suffice afterwards.
--
-- `affects_all` says that the types of all users may change.
--
-- Locks: as above; the strengths are 1 FOR KEY SHARE, 2 FOR NO KEY UPDATE and 3 FOR UPDATE. Users FOR NO KEY UPDATE.
-- Returns the number of locked users; or the kind of a record that another transaction has changed meanwhile.
CREATE OR REPLACE FUNCTION lock_import(affects_all boolean, OUT overtaken text, OUT users integer)
LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  of_kind text;
  mentioned text;
  permissions text;
  changed text;
  wanted text;
  record record;
  is_stronger boolean;
BEGIN
  FOREACH of_kind IN ARRAY ARRAY['permission', 'workspace', 'group'] LOOP
    mentioned := format('SELECT target FROM staged_links WHERE list = %L', of_kind || 's');
    IF of_kind = 'permission' THEN
      permissions := 'NULL';
      changed := $sql$
        SELECT DISTINCT id FROM permissions JOIN staged_records USING (id)
        WHERE kind = 'permission' AND grants::text <> record ->> 'grants'$sql$;
    ELSE
      permissions := format($sql$ARRAY(
        SELECT permissions.id FROM %1$ss AS place JOIN %1$s_permissions AS given ON given.%1$s_key = place.key
        JOIN permissions ON permissions.key = given.permission_key WHERE place.id = found.id ORDER BY 1)$sql$, of_kind);
      changed := format($sql$
        SELECT holder.id FROM changed_permitting AS changed JOIN permissions USING (id)
        JOIN %1$s_permissions AS given ON given.permission_key = permissions.key
        JOIN %1$ss AS holder ON holder.key = given.%1$s_key WHERE changed.kind = 'permission'
        UNION
        SELECT id FROM staged_records AS found
        WHERE kind = '%1$s' AND record ? 'permissions' AND %2$s <> ARRAY(
          SELECT target FROM staged_links AS link
          WHERE link.kind = '%1$s' AND link.list = 'permissions' AND link.id = found.id ORDER BY 1)$sql$,
        of_kind, permissions);
    END IF;
    IF of_kind = 'workspace' THEN
      mentioned := mentioned || $sql$ UNION SELECT record ->> 'workspace' FROM staged_records WHERE kind = 'group'$sql$;
    END IF;
    wanted := format($sql$
      SELECT key, max(strength) AS strength FROM (
        SELECT id, 1 AS strength FROM (%2$s) AS mentioned (id)
        UNION ALL SELECT id, 2 FROM staged_records WHERE kind = '%1$s'
        UNION ALL SELECT id, 3 FROM (%%s) AS exclusive
      ) AS reasons JOIN %1$ss USING (id) GROUP BY key$sql$, of_kind, mentioned);
    EXECUTE format('INSERT INTO import_locks (kind, key, strength) SELECT %L, key, strength FROM (%s) AS wanted',
      of_kind, format(wanted, changed));
    FOR record IN SELECT key, strength FROM import_locks WHERE kind = of_kind ORDER BY key LOOP
      EXECUTE format('SELECT FROM %ss WHERE key = $1 FOR %s', of_kind,
        (ARRAY['KEY SHARE', 'NO KEY UPDATE', 'UPDATE'])[record.strength]) USING record.key;
    END LOOP;
    EXECUTE format('INSERT INTO changed_permitting (kind, id, permissions) SELECT %L, found.id, %s FROM (%s) AS found',
      of_kind, permissions, changed);
    EXECUTE format($sql$
      SELECT EXISTS (
        SELECT FROM (%s) AS wanted LEFT JOIN import_locks AS held ON held.kind = %L AND held.key = wanted.key
        WHERE wanted.strength > COALESCE(held.strength, 0))$sql$,
      format(wanted, format('SELECT id FROM changed_permitting WHERE kind = %L', of_kind)), of_kind)
    INTO is_stronger;
    IF is_stronger THEN
      overtaken := of_kind;
      RETURN;
    END IF;
  END LOOP;

  INSERT INTO users_affected (id)
  SELECT id FROM staged_records WHERE kind = 'user'
  UNION
  SELECT holder.id FROM changed_permitting AS changed JOIN permissions AS p USING (id)
  JOIN user_permissions AS given ON given.permission_key = p.key JOIN users AS holder ON holder.key = given.user_key
  WHERE changed.kind = 'permission'
  UNION
  SELECT u.id FROM changed_permitting AS changed JOIN workspaces AS place USING (id)
  JOIN workspace_memberships AS m ON m.workspace_key = place.key JOIN users AS u ON u.key = m.user_key
  WHERE changed.kind = 'workspace'
  UNION
  SELECT u.id FROM changed_permitting AS changed JOIN groups AS place USING (id)
  JOIN group_memberships AS m ON m.group_key = place.key JOIN users AS u ON u.key = m.user_key
  WHERE changed.kind = 'group'
  UNION
  SELECT u.id FROM users AS u WHERE affects_all
  ORDER BY id;
  ANALYZE users_affected;
  SELECT count(*) INTO users FROM (
    SELECT key FROM users AS u WHERE u.id IN (SELECT id FROM users_affected) ORDER BY key FOR NO KEY UPDATE
  ) AS locked;
END $$;
