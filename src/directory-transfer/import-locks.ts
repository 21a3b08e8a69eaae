import type { EntityManager } from 'typeorm';

/** Any constant will do, as long as nothing else in this database locks it. */
const IMPORT_LOCK = 7_225_108_020;

/** Imports take turns: two of them could otherwise make the same new record, and neither could name the line at fault. */
export async function takeTurn(manager: EntityManager): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock($1)', [IMPORT_LOCK]);
}

/**
 * Locks the rows that the staged file names or can affect, in the global order that LockedRecords documents, and leaves the ids
 * of every user whose type may change in `affected_users`: those in the file, and those who hold a permission whose grants
 * change, or are in a workspace or group that is permitted something else from now on.
 *
 * A record that is only mentioned is held, so that it cannot vanish: assignments to it go on. One whose fields change is locked
 * against other changes, which assignments do not mind either. Only a permission that grants something else, and a place that is
 * permitted something else, are locked against everyone: whom that affects can be counted only once nobody can join.
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

/** What a place is permitted cannot change while it is held, so which places change is known before they are locked for it. */
async function lockPlaces(manager: EntityManager, place: 'workspace' | 'group', ids: string): Promise<void> {
  await lock(manager, `${place}s`, `${ids} UNION ${holdersOfChanged(place)}`, 'FOR KEY SHARE');
  await lock(manager, `${place}s`, staged(place), 'FOR NO KEY UPDATE');
  await findChangedPlaces(manager, place);
  await lock(manager, `${place}s`, changed(place), 'FOR UPDATE');
}

/** Whoever is given a permission whose grants change. */
const holdersOfChanged = (holder: 'user' | 'workspace' | 'group'): string => `
  SELECT holder.id FROM changed_permitting AS changed JOIN permissions USING (id)
  JOIN ${holder}_permissions AS given ON given.permission_key = permissions.key
  JOIN ${holder}s AS holder ON holder.key = given.${holder}_key WHERE changed.kind = 'permission'`;

/** Whoever is in a place that is permitted something else. */
const membersOfChanged = (place: 'workspace' | 'group'): string => `
  SELECT users.id FROM changed_permitting AS changed JOIN ${place}s AS place USING (id)
  JOIN ${place}_memberships AS membership ON membership.${place}_key = place.key
  JOIN users ON users.key = membership.user_key WHERE changed.kind = '${place}'`;

const staged = (kind: string): string => `SELECT id FROM staged_records WHERE kind = '${kind}'`;

const changed = (kind: string): string => `SELECT id FROM changed_permitting WHERE kind = '${kind}'`;

const named = (kind: string, list: string): string => `
  ${staged(kind)}
  UNION SELECT target FROM staged_links WHERE list = '${list}'`;

/** Locks without fetching: the outer count is a single row, however many are locked. */
async function lock(manager: EntityManager, table: string, ids: string, strength: string): Promise<void> {
  await manager.query(
    `SELECT count(*) FROM (SELECT key FROM ${table} WHERE id IN (${ids}) ORDER BY key ${strength}) AS locked`,
  );
}

/**
 * Places that carry a permission whose grants change, and those that the file gives other permissions than they have; each
 * with the permissions that it has so far.
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
