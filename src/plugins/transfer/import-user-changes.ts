import type { EntityManager } from 'typeorm';
import { OvertakenError } from '@user-administration/postgres';
import { USER_CREATED, USER_UPDATED, userFactsInSql } from '../../users/user-facts';
import { entry } from './import-entry';
import { isListedAnew } from './staging';

type State = 'before' | 'now';

const listed = (table: string, target: 'permission' | 'workspace' | 'group', state: State): string => {
  const isMembership = target !== 'permission';
  // A membership that has ended, and that the import makes anew, was none before.
  const user = `(SELECT id FROM users WHERE key = ${table}.user_key)`;
  const isMadeAnew =
    isMembership && state === 'before'
      ? `(has_ended(${table}.ends_at, ${table}.end_refused_at) AND ${isListedAnew(target, user, `${target}s.id`)})`
      : 'false';
  const ends = `,
    coalesce(jsonb_object_agg(${target}s.id, iso_time(ends_at)) FILTER (WHERE ends_at IS NOT NULL), '{}') AS ends`;
  return `
  SELECT user_key, array_agg(${target}s.id ORDER BY ${target}s.id) AS ids${isMembership ? ends : ''}
  FROM ${table} JOIN ${target}s ON ${target}s.key = ${target}_key
  WHERE user_key IN (SELECT key FROM staged) AND NOT ${isMadeAnew}
  GROUP BY user_key`;
};

/**
 * The fields that an import can write, in the format of a file, and the workspaces, of each user in the file. The users
 * are found once for all their lists.
 */
const userFields = (state: State): string => `
  WITH staged AS MATERIALIZED (SELECT users.* FROM staged_records JOIN users USING (id) WHERE kind = 'user')
  SELECT staged.id, coalesce(workspaces.ids, '{}') AS workspaces, ${userFactsInSql({
    permissions: `coalesce(permissions.ids, '{}')`,
    workspaces: `coalesce(workspaces.ids, '{}')`,
    groups: `coalesce(groups.ids, '{}')`,
    until: `CASE WHEN coalesce(workspaces.ends, '{}') || coalesce(groups.ends, '{}') = '{}' THEN '{}'
      ELSE jsonb_build_object('until', jsonb_build_object(
        'workspaces', coalesce(workspaces.ends, '{}'), 'groups', coalesce(groups.ends, '{}'))) END`,
  })} AS fields
  FROM staged
  LEFT JOIN (${listed('user_permissions', 'permission', state)}) AS permissions ON permissions.user_key = staged.key
  LEFT JOIN (${listed('workspace_memberships', 'workspace', state)}) AS workspaces ON workspaces.user_key = staged.key
  LEFT JOIN (${listed('group_memberships', 'group', state)}) AS groups ON groups.user_key = staged.key`;

/**
 * Stores the affected users in `users_before` before anything is written. New users are not in it. Only users in the
 * file have fields.
 *
 * Locked users cannot be deleted, so if there are more users than locked ones, another transaction has created one
 * since.
 *
 * @throws OvertakenError
 */
export async function rememberUsers(manager: EntityManager, lockedUsers: number): Promise<void> {
  const [found]: [{ users: number }] = await manager.query(`
    WITH remembered AS (
      INSERT INTO users_before (id, fields)
      SELECT users.id, staged.fields
      FROM users_affected JOIN users USING (id) LEFT JOIN (${userFields('before')}) AS staged USING (id) ORDER BY id
      RETURNING 1
    ) SELECT count(*)::integer AS users FROM remembered`);
  if (found.users > lockedUsers) throw new OvertakenError('another transaction created a user of the import');
}

/** The elements of a list in the one state that are not in the other. */
const onlyIn = (state: State, other: State, list: string): string => `ARRAY(
  SELECT jsonb_array_elements_text(${state}.fields -> '${list}') COLLATE "C"
  EXCEPT SELECT jsonb_array_elements_text(${other}.fields -> '${list}') ORDER BY 1)`;

/** These workspaces, and the workspaces of these groups. */
const concerned = (workspaces: string, groups: string): string =>
  `ARRAY(SELECT unnest(${workspaces}) UNION
     SELECT workspaces.id FROM groups JOIN workspaces ON workspaces.key = workspace_key
     WHERE groups.id = ANY (${groups})
     ORDER BY 1)`;

const fact = (state: 'before' | 'after', field: string): string =>
  `jsonb_build_object('${field}', changed.${state} -> '${field}')`;

/**
 * All fields of the new user, and nothing before. Groups add no workspaces, because their members are in their
 * workspaces.
 */
const CREATED = `
  SELECT 0 AS step, now.id,
    ${entry(USER_CREATED, { user: 'now.id', workspaces: 'workspaces', after: 'fields' })} AS entry
  FROM now WHERE NOT EXISTS (SELECT FROM users_before AS before WHERE before.id = now.id)`;

/**
 * The fields that were written, and the permissions. The functions that write statuses, memberships, their ends and
 * types tell these themselves.
 */
const UPDATED = `
  SELECT step, id, entry
  FROM now JOIN users_before AS before USING (id)
  CROSS JOIN LATERAL (
    SELECT jsonb_object_agg(key, before.fields -> key) AS before, jsonb_object_agg(key, now.fields -> key) AS after
    FROM jsonb_object_keys(before.fields || now.fields) AS key
    WHERE key <> 'until' AND before.fields -> key IS DISTINCT FROM now.fields -> key
  ) AS changed
  LEFT JOIN LATERAL (
    SELECT
      ${onlyIn('before', 'now', 'workspaces')} AS left_workspaces, ${onlyIn('before', 'now', 'groups')} AS left_groups,
      ${onlyIn('now', 'before', 'workspaces')} AS joined_workspaces,
      ${onlyIn('now', 'before', 'groups')} AS joined_groups
    WHERE changed.after ?| ARRAY['workspaces', 'groups']
    OFFSET 0 -- so that the lists are computed once
  ) AS moved ON true
  CROSS JOIN LATERAL (
    SELECT 1 AS step, ${entry(USER_UPDATED, {
      user: 'id',
      workspaces: concerned('left_workspaces || joined_workspaces', 'left_groups || joined_groups'),
      before: `changed.before - 'status'`,
      after: `changed.after - 'status'`,
    })} AS entry
    WHERE changed.after - 'status' <> '{}'
    UNION ALL
    SELECT 5, ${entry('user.permissions.changed', {
      user: 'id',
      before: fact('before', 'permissions'),
      after: fact('after', 'permissions'),
    })}
    WHERE changed.after ? 'permissions'
  ) AS entries
  WHERE now.fields <> before.fields`;

/** The steps and entries for new and existing users. */
export const USER_CHANGES = `
  WITH now AS MATERIALIZED (${userFields('now')})
  SELECT step, entry FROM (${CREATED} UNION ALL ${UPDATED}) AS entries ORDER BY step, id`;
