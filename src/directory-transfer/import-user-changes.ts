import type { EntityManager } from 'typeorm';
import { entry } from './import-entry';

const listed = (table: string, target: string): string =>
  `ARRAY(SELECT ${target}s.id FROM ${table} JOIN ${target}s ON ${target}s.key = ${target}_key WHERE user_key = users.key ORDER BY 1)`;

/** The type, and the fields that an import can write, in the format of a file. Users who are not in the file keep their fields. */
const USER_STATE = `
  users.type, CASE WHEN EXISTS (
    SELECT FROM staged_records AS staged WHERE staged.kind = 'user' AND staged.id = users.id
  ) THEN jsonb_build_object(
    'email', users.email, 'displayName', users.display_name, 'status', users.status,
    'permissions', ${listed('user_permissions', 'permission')},
    'workspaces', ${listed('workspace_memberships', 'workspace')},
    'groups', ${listed('group_memberships', 'group')}
  ) END AS fields`;

/** Stores the affected users in `users_before` before anything is written. New users are not in it. */
export async function rememberUsers(manager: EntityManager): Promise<void> {
  await manager.query(`
    CREATE TEMPORARY TABLE users_before (
      id varchar(255) COLLATE "C" PRIMARY KEY,
      type user_type NOT NULL,
      fields jsonb
    ) ON COMMIT DROP`);
  await manager.query(`
    INSERT INTO users_before (id, type, fields)
    SELECT users.id, ${USER_STATE} FROM affected_users JOIN users USING (id) ORDER BY id`);
  await manager.query('ANALYZE users_before');
}

type State = 'before' | 'now';

/** The elements of a list in the one state that are not in the other. New users had none. */
const onlyIn = (state: State, other: State, list: string): string => `ARRAY(
  SELECT jsonb_array_elements_text(coalesce(${state}.fields -> '${list}', '[]')) COLLATE "C"
  EXCEPT SELECT jsonb_array_elements_text(coalesce(${other}.fields -> '${list}', '[]')) ORDER BY 1)`;

/** These workspaces, and the workspaces of these groups. */
const concerned = (workspaces: string, groups: string): string =>
  `ARRAY(SELECT unnest(${workspaces}) UNION
     SELECT workspaces.id FROM groups JOIN workspaces ON workspaces.key = workspace_key WHERE groups.id = ANY (${groups})
     ORDER BY 1)`;

const places = (workspaces: string, groups: string): string =>
  `jsonb_build_object('workspaces', ${workspaces}, 'groups', ${groups})`;

const fact = (state: 'before' | 'after', field: string): string =>
  `jsonb_build_object('${field}', changed.${state} -> '${field}')`;

/**
 * The entries for each user: first the fields that were written, then the same entries as for changes through the
 * routes. For existing users: a new status, workspaces and groups left and joined, and permissions. For all users: the
 * resulting type. The first entry of a new user contains everything from the file, and has nothing before. The entries
 * of a step are consecutive, because the journal stores equal changes to several users as one change.
 */
export const USER_CHANGES = `
  WITH now AS MATERIALIZED (SELECT users.id, ${USER_STATE} FROM affected_users JOIN users USING (id))
  SELECT told.entry
  FROM now LEFT JOIN users_before AS before USING (id)
  CROSS JOIN LATERAL (
    SELECT jsonb_object_agg(key, before.fields -> key) AS before, jsonb_object_agg(key, value) AS after
    FROM jsonb_each(now.fields) WHERE value IS DISTINCT FROM before.fields -> key
  ) AS changed
  LEFT JOIN LATERAL (
    SELECT
      ${onlyIn('before', 'now', 'workspaces')} AS left_workspaces, ${onlyIn('before', 'now', 'groups')} AS left_groups,
      ${onlyIn('now', 'before', 'workspaces')} AS joined_workspaces, ${onlyIn('now', 'before', 'groups')} AS joined_groups
    WHERE changed.after ?| ARRAY['workspaces', 'groups']
    OFFSET 0 -- so that the lists are made once
  ) AS moved ON true
  CROSS JOIN LATERAL (
    SELECT CASE WHEN before.id IS NULL THEN 0 ELSE 1 END AS step, ${entry(
      { when: 'before.id IS NULL', then: 'user.created', otherwise: 'user.updated' },
      'id',
      concerned('left_workspaces || joined_workspaces', 'left_groups || joined_groups'),
      'CASE WHEN before.id IS NOT NULL THEN changed.before END',
      'changed.after',
    )} AS entry
    WHERE changed.after IS NOT NULL
    UNION ALL
    SELECT 2, ${entry('user.status.changed', 'id', 'NULL', fact('before', 'status'), fact('after', 'status'))}
    WHERE before.id IS NOT NULL AND changed.after ? 'status'
    UNION ALL
    SELECT 3, ${entry(
      'user.workspaces.unassigned',
      'id',
      concerned('left_workspaces', 'left_groups'),
      places('left_workspaces', 'left_groups'),
      'NULL',
    )}
    WHERE before.id IS NOT NULL AND left_workspaces || left_groups <> '{}'
    UNION ALL
    SELECT 4, ${entry(
      'user.workspaces.assigned',
      'id',
      concerned('joined_workspaces', 'joined_groups'),
      'NULL',
      places('joined_workspaces', 'joined_groups'),
    )}
    WHERE before.id IS NOT NULL AND joined_workspaces || joined_groups <> '{}'
    UNION ALL
    SELECT 5, ${entry(
      'user.permissions.changed',
      'id',
      'NULL',
      fact('before', 'permissions'),
      fact('after', 'permissions'),
    )}
    WHERE before.id IS NOT NULL AND changed.after ? 'permissions'
    UNION ALL
    SELECT 6, ${entry(
      'user.type.changed',
      'id',
      'NULL',
      `jsonb_build_object('type', coalesce(before.type, 'guest'))`,
      `jsonb_build_object('type', now.type)`,
    )}
    WHERE now.type <> coalesce(before.type, 'guest')
  ) AS told
  ORDER BY step, id`;
