import type { EntityManager } from 'typeorm';

/** An arbitrary constant. Nothing else in this database may use it as a lock. */
const IMPORT_LOCK = 7_225_108_020;

/** Imports take turns: otherwise two of them could create the same record, and neither could name the line of the conflict. */
export async function takeTurn(manager: EntityManager): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock($1)', [IMPORT_LOCK]);
}

/**
 * Locks the rows that the staged file names or can affect, in the global order that LockedRecords documents. It stores
 * the ids of every user whose type may change in `affected_users`: those in the file, holders of a permission whose
 * grants change, and members of a workspace or group whose permissions change.
 *
 * A record that the file only mentions is locked against deletion, and assignments to it continue. A record whose
 * fields change is locked against other changes, and assignments to it continue as well. Only a permission whose grants
 * change, and a workspace or group whose permissions change, are locked exclusively, because the affected users are
 * known only once nobody can join.
 */
export async function lockAffected(manager: EntityManager): Promise<void> {
  await manager.query(`
    CREATE TEMPORARY TABLE changed_permitting (
      kind text COLLATE "C",
      id varchar(255) COLLATE "C",
      permissions varchar(255)[] COLLATE "C",
      PRIMARY KEY (kind, id)
    ) ON COMMIT DROP`);
  await manager.query(`CREATE TEMPORARY TABLE affected_users (id varchar(255) COLLATE "C" PRIMARY KEY) ON COMMIT DROP`);
  await lock(manager, 'permissions', named('permission', 'permissions'), 'FOR KEY SHARE');
  await lock(manager, 'permissions', staged('permission'), 'FOR NO KEY UPDATE');
  await manager.query(`
    INSERT INTO changed_permitting (kind, id)
    SELECT 'permission', id FROM permissions JOIN staged_records USING (id)
    WHERE kind = 'permission' AND grants::text <> record ->> 'grants'`);
  await lock(manager, 'permissions', changed('permission'), 'FOR UPDATE');
  await lockPlaces(
    manager,
    'workspace',
    `${named('workspace', 'workspaces')} UNION SELECT record ->> 'workspace' FROM staged_records WHERE kind = 'group'`,
  );
  await lockPlaces(manager, 'group', named('group', 'groups'));
  await manager.query(`
    INSERT INTO affected_users (id)
    SELECT id FROM staged_records WHERE kind = 'user'
    UNION ${holdersOfChanged('user')}
    UNION ${membersOfChanged('workspace')}
    UNION ${membersOfChanged('group')}
    ORDER BY id`);
  await manager.query('ANALYZE affected_users');
  await lock(manager, 'users', 'SELECT id FROM affected_users', 'FOR NO KEY UPDATE');
}

/**
 * The permissions of a locked workspace or group cannot change, so the ones that the file changes are known before they
 * are locked exclusively.
 */
async function lockPlaces(manager: EntityManager, place: 'workspace' | 'group', ids: string): Promise<void> {
  await lock(manager, `${place}s`, `${ids} UNION ${holdersOfChanged(place)}`, 'FOR KEY SHARE');
  await lock(manager, `${place}s`, staged(place), 'FOR NO KEY UPDATE');
  await findChangedPlaces(manager, place);
  await lock(manager, `${place}s`, changed(place), 'FOR UPDATE');
}

/** Holders of a permission whose grants change. */
const holdersOfChanged = (holder: 'user' | 'workspace' | 'group'): string => `
  SELECT holder.id FROM changed_permitting AS changed JOIN permissions USING (id)
  JOIN ${holder}_permissions AS given ON given.permission_key = permissions.key
  JOIN ${holder}s AS holder ON holder.key = given.${holder}_key WHERE changed.kind = 'permission'`;

/** Members of a workspace or group whose permissions change. */
const membersOfChanged = (place: 'workspace' | 'group'): string => `
  SELECT users.id FROM changed_permitting AS changed JOIN ${place}s AS place USING (id)
  JOIN ${place}_memberships AS membership ON membership.${place}_key = place.key
  JOIN users ON users.key = membership.user_key WHERE changed.kind = '${place}'`;

const staged = (kind: string): string => `SELECT id FROM staged_records WHERE kind = '${kind}'`;

const changed = (kind: string): string => `SELECT id FROM changed_permitting WHERE kind = '${kind}'`;

const named = (kind: string, list: string): string => `
  ${staged(kind)}
  UNION SELECT target FROM staged_links WHERE list = '${list}'`;

/** Locks rows without fetching them: the outer count returns a single row. */
async function lock(manager: EntityManager, table: string, ids: string, strength: string): Promise<void> {
  await manager.query(
    `SELECT count(*) FROM (SELECT key FROM ${table} WHERE id IN (${ids}) ORDER BY key ${strength}) AS locked`,
  );
}

/**
 * Finds workspaces or groups with a permission whose grants change, and those whose permissions the file changes; each
 * with its current permissions.
 */
async function findChangedPlaces(manager: EntityManager, place: 'workspace' | 'group'): Promise<void> {
  const permissionsOf = (id: string) => `
    SELECT permissions.id FROM ${place}s AS place JOIN ${place}_permissions AS given ON given.${place}_key = place.key
    JOIN permissions ON permissions.key = given.permission_key WHERE place.id = ${id}`;
  const current = permissionsOf('staged_records.id');
  const wanted = `SELECT target FROM staged_links WHERE kind = '${place}' AND list = 'permissions' AND id = staged_records.id`;
  await manager.query(`
    INSERT INTO changed_permitting (kind, id, permissions)
    SELECT '${place}', found.id, ARRAY(${permissionsOf('found.id')} ORDER BY 1)
    FROM (
      ${holdersOfChanged(place)}
      UNION
      SELECT id FROM staged_records
      WHERE kind = '${place}' AND record ? 'permissions'
        AND (EXISTS (${current} EXCEPT ${wanted}) OR EXISTS (${wanted} EXCEPT ${current}))
    ) AS found`);
}
