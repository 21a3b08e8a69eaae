import type { EntityManager } from 'typeorm';
import { OvertakenError } from '@user-administration/postgres';

type Kind = 'permission' | 'workspace' | 'group';

/** How a row is locked: the positions in this list are the strengths in `import_locks`, from 1. */
const STRENGTHS = ['FOR KEY SHARE', 'FOR NO KEY UPDATE', 'FOR UPDATE'];

/**
 * Locks the rows that the staged file names or can affect, in the global order that LockedRecords documents. It stores
 * the ids of every user whose type may change in `affected_users`: those in the file, holders of a permission whose
 * grants change, and members of a workspace or group whose permissions change.
 *
 * A record that the file only mentions is locked against deletion, and assignments to it continue. A record in the file
 * is locked against other changes, and assignments to it continue as well. Only a permission whose grants change, and a
 * workspace or group whose permissions change, are locked exclusively, because the affected users are known only once
 * nobody can join.
 *
 * @param affectsAll whether the types of all users may change
 * @returns the number of locked users
 * @throws OvertakenError
 */
export async function lockAffected(manager: EntityManager, affectsAll: boolean): Promise<number> {
  await manager.query(`
    CREATE TEMPORARY TABLE import_locks (
      kind text COLLATE "C",
      key bigint,
      strength integer NOT NULL,
      PRIMARY KEY (kind, key)
    ) ON COMMIT DROP`);
  await manager.query(`
    CREATE TEMPORARY TABLE changed_permitting (
      kind text COLLATE "C",
      id varchar(255) COLLATE "C",
      permissions varchar(255)[] COLLATE "C",
      PRIMARY KEY (kind, id)
    ) ON COMMIT DROP`);
  await manager.query(`CREATE TEMPORARY TABLE affected_users (id varchar(255) COLLATE "C" PRIMARY KEY) ON COMMIT DROP`);
  await lockRecords(manager, 'permission', links('permissions'));
  const ofGroups = `SELECT record ->> 'workspace' FROM staged_records WHERE kind = 'group'`;
  await lockRecords(manager, 'workspace', `${links('workspaces')} UNION ${ofGroups}`);
  await lockRecords(manager, 'group', links('groups'));
  await manager.query(`
    INSERT INTO affected_users (id)
    SELECT id FROM staged_records WHERE kind = 'user'
    UNION ${holdersOfChanged('user')}
    UNION ${membersOfChanged('workspace')}
    UNION ${membersOfChanged('group')}
    ${affectsAll ? 'UNION SELECT id FROM users' : ''}
    ORDER BY id`);
  await manager.query('ANALYZE affected_users');
  // The outer count returns a single row.
  const [locked]: [{ users: number }] = await manager.query(`
    SELECT count(*)::integer AS users FROM (
      SELECT key FROM users WHERE id IN (SELECT id FROM affected_users) ORDER BY key FOR NO KEY UPDATE
    ) AS locked`);
  return locked.users;
}

/**
 * Locks each record once, in the order of keys: raising a lock later can deadlock with a transaction that waits for the
 * same row. So the strength is chosen before the rows are locked, and must still suffice afterwards.
 */
async function lockRecords(manager: EntityManager, kind: Kind, mentioned: string): Promise<void> {
  const [changed, permissions] =
    kind === 'permission' ? [CHANGED_GRANTS, 'NULL'] : [changedPlaces(kind), permissionsOf(kind, 'found.id')];
  const wanted = (exclusive: string): string => `
    SELECT key, max(strength) AS strength
    FROM (
      SELECT id, 1 AS strength FROM (${mentioned}) AS mentioned (id)
      UNION ALL SELECT id, 2 FROM staged_records WHERE kind = '${kind}'
      UNION ALL SELECT id, 3 FROM (${exclusive}) AS exclusive
    ) AS reasons JOIN ${kind}s USING (id) GROUP BY key`;
  await manager.query(
    `INSERT INTO import_locks (kind, key, strength) SELECT '${kind}', key, strength ` +
      `FROM (${wanted(changed)}) AS wanted`,
  );
  await manager.query(`
    DO $$ DECLARE wanted record; BEGIN
      FOR wanted IN SELECT key, strength FROM import_locks WHERE kind = '${kind}' ORDER BY key LOOP
        CASE wanted.strength
          ${STRENGTHS.map(
            (strength, index) => `WHEN ${index + 1} THEN PERFORM key FROM ${kind}s WHERE key = wanted.key ${strength};`,
          ).join('\n')}
        END CASE;
      END LOOP;
    END $$`);
  await manager.query(`
    INSERT INTO changed_permitting (kind, id, permissions)
    SELECT '${kind}', found.id, ${permissions} FROM (${changed}) AS found`);
  const stronger: unknown[] = await manager.query(`
    SELECT FROM (${wanted(`SELECT id FROM changed_permitting WHERE kind = '${kind}'`)}) AS wanted
    LEFT JOIN import_locks AS held ON held.kind = '${kind}' AND held.key = wanted.key
    WHERE wanted.strength > coalesce(held.strength, 0) LIMIT 1`);
  if (stronger.length > 0) throw new OvertakenError(`another transaction changed a ${kind} of the import`);
}

const links = (list: string): string => `SELECT target FROM staged_links WHERE list = '${list}'`;

const CHANGED_GRANTS = `
  SELECT DISTINCT id FROM permissions JOIN staged_records USING (id)
  WHERE kind = 'permission' AND grants::text <> record ->> 'grants'`;

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

const permissionsOf = (place: 'workspace' | 'group', id: string): string => `ARRAY(
  SELECT permissions.id FROM ${place}s AS place JOIN ${place}_permissions AS given ON given.${place}_key = place.key
  JOIN permissions ON permissions.key = given.permission_key WHERE place.id = ${id} ORDER BY 1)`;

/** Workspaces or groups with a permission whose grants change, and those whose permissions the file changes. */
const changedPlaces = (place: 'workspace' | 'group'): string => `
  ${holdersOfChanged(place)}
  UNION
  SELECT id FROM staged_records
  WHERE kind = '${place}' AND record ? 'permissions' AND ${permissionsOf(place, 'staged_records.id')} <> ARRAY(
    SELECT target FROM staged_links AS link
    WHERE link.kind = '${place}' AND link.list = 'permissions' AND link.id = staged_records.id ORDER BY 1)`;
