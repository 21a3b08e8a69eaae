import type { EntityManager } from 'typeorm';
import { OvertakenError } from '@user-administration/postgres';
import { USER_CREATED, USER_UPDATED, userFactsInSql } from '../users/user-facts';
import { entry } from './import-entry';
import { isListedWithoutEnd } from './staging';

type State = 'before' | 'now';

const listed = (table: string, target: 'permission' | 'workspace' | 'group', state: State): string => {
  const isMembership = target !== 'permission';
  // A membership that has ended, and that the import makes anew, was none before.
  const user = `(SELECT id FROM users WHERE key = ${table}.user_key)`;
  const isMadeAnew =
    isMembership && state === 'before'
      ? `(${table}.ends_at <= ends_clock() AND ${table}.end_refused_at IS NULL
          AND ${isListedWithoutEnd(target, user, `${target}s.id`)}) IS TRUE`
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
  await manager.query(`
    CREATE TEMPORARY TABLE users_before (
      id varchar(255) COLLATE "C" PRIMARY KEY,
      type user_type NOT NULL,
      fields jsonb
    ) ON COMMIT DROP`);
  await manager.query(`
    INSERT INTO users_before (id, type, fields)
    SELECT users.id, users.type, staged.fields
    FROM affected_users JOIN users USING (id) LEFT JOIN (${userFields('before')}) AS staged USING (id) ORDER BY id`);
  const [found]: [{ users: number }] = await manager.query('SELECT count(*)::integer AS users FROM users_before');
  if (found.users > lockedUsers) throw new OvertakenError('another transaction created a user of the import');
  await manager.query('ANALYZE users_before');
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

/** With the ends of those that have one. */
const places = (workspaces: string, groups: string, state: State): string =>
  `journal_with_ends(${state}.fields -> 'until', jsonb_build_object('workspaces', ${workspaces}, 'groups', ${groups}))`;

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
 * First the fields that were written, then the same entries as for changes through the routes. A status has that entry
 * alone.
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
    SELECT 2, ${entry('user.status.changed', {
      user: 'id',
      before: fact('before', 'status'),
      after: fact('after', 'status'),
    })}
    WHERE changed.after ? 'status'
    UNION ALL
    SELECT 3, ${entry('user.workspaces.unassigned', {
      user: 'id',
      workspaces: concerned('left_workspaces', 'left_groups'),
      before: places('left_workspaces', 'left_groups', 'before'),
    })}
    WHERE left_workspaces || left_groups <> '{}'
    UNION ALL
    SELECT 4, ${entry('user.workspaces.assigned', {
      user: 'id',
      workspaces: concerned('joined_workspaces', 'joined_groups'),
      after: places('joined_workspaces', 'joined_groups', 'now'),
    })}
    WHERE joined_workspaces || joined_groups <> '{}'
    UNION ALL
    SELECT 5, ${entry('user.permissions.changed', {
      user: 'id',
      before: fact('before', 'permissions'),
      after: fact('after', 'permissions'),
    })}
    WHERE changed.after ? 'permissions'
    UNION ALL
    SELECT CASE WHEN extends THEN 6 ELSE 7 END, ${entry(
      { when: 'extends', then: 'user.workspaces.extended', otherwise: 'user.workspaces.shortened' },
      { user: 'id', workspaces: 'concerns', before: 'moved_ends.before', after: 'moved_ends.after' },
    )}
    FROM moved_ends(before.fields, now.fields)
  ) AS entries
  WHERE now.fields <> before.fields`;

/**
 * The entries for new and existing users. The entries of a step are consecutive, because the journal stores equal
 * changes to several users as one change.
 */
export const USER_CHANGES = `
  WITH now AS MATERIALIZED (${userFields('now')})
  SELECT entry FROM (${CREATED} UNION ALL ${UPDATED}) AS entries ORDER BY step, id`;

/** The number of users in one row of the journal: `journal_append_changes` would divide a larger one. */
export const ROW_USERS = 1_000;

/** The types that resulted, as changes to many users each: an import can give the same type to all of its users. */
export const TYPE_CHANGES = `
  SELECT ROW(
    'user.type.changed', array_agg(id ORDER BY id), NULL,
    jsonb_build_object('type', before), jsonb_build_object('type', after)
  )::journal_new_change AS change
  FROM (
    SELECT id, before, after, (row_number() OVER (PARTITION BY before, after ORDER BY id) - 1) / ${ROW_USERS} AS part
    FROM (
      SELECT users.id, coalesce(before.type, 'guest') AS before, users.type AS after
      FROM affected_users JOIN users USING (id) LEFT JOIN users_before AS before USING (id)
    ) AS judged WHERE before <> after
  ) AS changed GROUP BY before, after, part`;
