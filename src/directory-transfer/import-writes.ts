import type { EntityManager } from 'typeorm';
import { accountHasEnded, currentStatus } from '../directory/current-status';
import { RECORD_KINDS, type RecordKind } from './directory-record.rules';
import type { ImportProgress } from './import-progress';
import { isListedWithoutEnd, readPassedEnds, RELATIONS, type Relation } from './staging';

/** The new value of a column. A missing field keeps the old value, and null clears it. */
const given = (field: string, column: string, cast = ''): string =>
  `CASE WHEN record ? '${field}' THEN (record ->> '${field}')${cast} ELSE ${column} END`;

/**
 * Makes the tables match the staged file, each with a constant number of statements. Rows that already match are not
 * written, and keep their `updated_at`.
 *
 * @param isLarge whether new statistics are worth their cost
 * @returns how many records were created, and how many rows were written in all
 */
export async function writeStaged(
  manager: EntityManager,
  isLarge: boolean,
  progress: ImportProgress,
): Promise<{ created: Record<RecordKind, number>; rowsWritten: number }> {
  let rowsWritten = 0;
  const write = async (statement: string): Promise<number> => {
    const [row]: { rows: number }[] = await manager.query(
      `WITH written AS (${statement} RETURNING 1) SELECT count(*)::integer AS rows FROM written`,
    );
    const rows = row?.rows ?? 0;
    rowsWritten += rows;
    progress.step();
    return rows;
  };
  const writeRelations = async (relations: readonly Relation[]): Promise<void> => {
    // In reverse, so that a user who leaves a group and its workspace is counted once: leaving a workspace leaves its
    // groups.
    for (const relation of relations.toReversed()) await write(removal(relation));
    for (const relation of relations) await write(addition(relation));
  };
  const analyze = async (tables: string): Promise<void> => {
    if (isLarge) await manager.query(`ANALYZE ${tables}`);
  };

  // Users come last, because their types follow from the permissions of places.
  await write(UPDATES.permission);
  await write(UPDATES.workspace);
  await write(UPDATES.group);
  const permission = await write(INSERTS.permission);
  const workspace = await write(INSERTS.workspace);
  const group = await write(INSERTS.group);
  await writeRelations(RELATIONS.filter(({ kind }) => kind !== 'user'));
  await analyze('permissions, workspaces (key, id), groups (key, id), workspace_permissions, group_permissions');
  await readPassedEnds(manager);
  await write(CLEAR_EMAILS);
  await freeMovedEmails(manager);
  await write(UPDATES.user);
  const user = await write(INSERTS.user);
  await analyze('users (key, id)');
  await writeRelations(RELATIONS.filter(({ kind }) => kind === 'user'));
  for (const place of ['workspace', 'group'] as const) await write(revived(place));
  for (const place of ['workspace', 'group'] as const) await write(END_CHANGES[place]);
  await write(SHORTENED_GROUPS);
  await analyze('user_permissions, workspace_memberships, group_memberships');
  return { created: { permission, workspace, group, user }, rowsWritten };
}

/**
 * The steps that {@link writeStaged} reports: updates and inserts of each kind, cleared emails, two of each relation,
 * and the ends of memberships.
 */
export const WRITE_STEPS = 2 * RECORD_KINDS.length + 1 + 2 * RELATIONS.length + 5;

/** The end of an account that the file does not give: one that has passed goes when the file says the status. */
const LASTING_END = `CASE WHEN record ? 'status' AND ${accountHasEnded('old')} THEN NULL
  ELSE old.active_until END`;

const UPDATES: Record<RecordKind, string> = {
  permission: `
    UPDATE permissions SET description = new.description, grants = new.grants,
      updated_at = GREATEST(now(), permissions.updated_at)
    FROM staged_records JOIN permissions AS old USING (id)
    CROSS JOIN LATERAL (
      SELECT ${given('description', 'old.description')} AS description, (record ->> 'grants')::user_type AS grants) AS
        new
    WHERE kind = 'permission' AND permissions.key = old.key
      AND (old.description, old.grants) IS DISTINCT FROM (new.description, new.grants)`,
  workspace: `
    UPDATE workspaces SET name = record ->> 'name', updated_at = GREATEST(now(), workspaces.updated_at)
    FROM staged_records AS staged
    WHERE kind = 'workspace' AND workspaces.id = staged.id AND name <> record ->> 'name'`,
  group: `
    UPDATE groups SET name = record ->> 'name', updated_at = GREATEST(now(), groups.updated_at)
    FROM staged_records AS staged
    WHERE kind = 'group' AND groups.id = staged.id AND name <> record ->> 'name'`,
  user: `
    UPDATE users SET email = new.email, display_name = new.display_name, status = new.status,
      active_until = new.active_until,
      end_refused_at = CASE WHEN new.active_until = old.active_until THEN old.end_refused_at END,
      updated_at = GREATEST(now(), users.updated_at)
    FROM staged_records JOIN users AS old USING (id)
    CROSS JOIN LATERAL (
      SELECT ${given('email', 'old.email')} AS email, ${given('displayName', 'old.display_name')} AS display_name,
        coalesce((record ->> 'status')::user_status,
          CASE WHEN record ? 'activeUntil' THEN ${currentStatus('old')}::user_status ELSE old.status END) AS status,
        ${given('activeUntil', LASTING_END, '::timestamptz')} AS active_until) AS new
    WHERE kind = 'user' AND users.key = old.key
      AND (old.email, old.display_name, old.status, old.active_until)
        IS DISTINCT FROM (new.email, new.display_name, new.status, new.active_until)`,
};

/** Before other users take these emails: the unique index looks at each row as it is written. */
const CLEAR_EMAILS = `${UPDATES.user} AND record ? 'email' AND record ->> 'email' IS NULL`;

/**
 * Every record of the file that was not there when the import took its locks. If another transaction has created one of
 * them since, its id is taken, and the import starts again: this one would also appear as created in the journal.
 */
const insert = (kind: RecordKind, table: string, columns: string, values: string, joined = ''): string => `
  INSERT INTO ${table} (id, ${columns}) SELECT id, ${values} FROM staged_records ${joined}
  WHERE kind = '${kind}' AND line > 0 AND NOT EXISTS (
    SELECT FROM ${kind === 'user' ? 'users_before' : 'records_before'} AS before
    WHERE ${kind === 'user' ? '' : `before.kind = '${kind}' AND `}before.id = staged_records.id) ORDER BY id`;

const INSERTS: Record<RecordKind, string> = {
  permission: insert(
    'permission',
    'permissions',
    'description, grants',
    `record ->> 'description', (record ->> 'grants')::user_type`,
  ),
  workspace: insert('workspace', 'workspaces', 'name', `record ->> 'name'`),
  group: insert(
    'group',
    'groups',
    'name, workspace_key',
    `record ->> 'name', (SELECT key FROM workspaces WHERE workspaces.id = record ->> 'workspace')`,
  ),
  user: insert(
    'user',
    'users',
    'email, display_name, status, active_until, type',
    `record ->> 'email', record ->> 'displayName', coalesce((record ->> 'status')::user_status, 'active'),
     (record ->> 'activeUntil')::timestamptz,
     coalesce(granted.type, 'guest')`,
    `LEFT JOIN (${grantedTypes()}) AS granted USING (id)`,
  ),
};

/**
 * The type that the permissions of a line grant. The type rule decides afterwards, but writes only types that differ,
 * and writing a user again costs as much as inserting one.
 */
function grantedTypes(): string {
  const ofPlaces = (place: 'workspace' | 'group') => `
    SELECT link.id, grants FROM staged_links AS link JOIN ${place}s AS place ON place.id = link.target
    JOIN ${place}_permissions AS given ON given.${place}_key = place.key
      JOIN permissions ON permissions.key = given.permission_key
    WHERE link.kind = 'user' AND link.list = '${place}s'`;
  return `
    SELECT id, max(grants) AS type FROM (
      SELECT link.id, grants FROM staged_links AS link JOIN permissions ON permissions.id = link.target
      WHERE link.kind = 'user' AND link.list = 'permissions'
      UNION ALL ${ofPlaces('workspace')}
      UNION ALL ${ofPlaces('group')}
    ) AS given GROUP BY id`;
}

/** The unique index looks at each row as it is written, so users that swap emails must give them up first. */
async function freeMovedEmails(manager: EntityManager): Promise<void> {
  await manager.query(`
    UPDATE users SET email = NULL FROM staged_records AS staged
    WHERE kind = 'user' AND users.id = staged.id AND record ? 'email'
      AND fold_case(email) <> fold_case(record ->> 'email')`);
}

/** Makes memberships anew that have ended, and that the file lists without an end, where nothing has carried it out. */
const revived = (place: 'workspace' | 'group'): string => `
  UPDATE ${place}_memberships AS m SET ends_at = NULL
  FROM users, ${place}s AS place
  WHERE m.ends_at <= ends_clock() AND m.end_refused_at IS NULL AND users.key = m.user_key AND place.key = m.${place}_key
    AND ${isListedWithoutEnd(place, 'users.id', 'place.id')}`;

/** The ends that the file sets exactly. */
const ends = (place: 'workspace' | 'group'): string => `
  UPDATE ${place}_memberships AS m SET ends_at = wanted.ends_at, end_refused_at = NULL
  FROM (
    SELECT users.key AS user_key, place.key AS place_key, given.until::timestamptz AS ends_at
    FROM staged_records AS staged JOIN users USING (id)
    CROSS JOIN LATERAL jsonb_each_text(staged.record -> 'ends' -> '${place}s') AS given (id, until)
    JOIN ${place}s AS place ON place.id = given.id
    WHERE staged.kind = 'user' AND staged.record ? 'ends'
  ) AS wanted
  WHERE m.user_key = wanted.user_key AND m.${place}_key = place_key AND m.ends_at IS DISTINCT FROM wanted.ends_at`;
const END_CHANGES = { workspace: ends('workspace'), group: ends('group') };

/** A group ends at the latest with its workspace, and stays where the end of the workspace was refused. */
const SHORTENED_GROUPS = `
  UPDATE group_memberships AS g SET ends_at = w.ends_at, end_refused_at = w.end_refused_at
  FROM staged_records AS staged JOIN users USING (id) JOIN workspace_memberships AS w ON w.user_key = users.key
  WHERE staged.kind = 'user' AND w.ends_at IS NOT NULL AND (g.user_key, g.workspace_key) = (w.user_key, w.workspace_key)
    AND (g.ends_at IS NULL OR g.ends_at > w.ends_at)`;

const removal = ({ kind, list, table, target }: Relation): string => `
  DELETE FROM ${table} USING staged_records AS staged JOIN ${kind}s AS holder USING (id)
  WHERE staged.kind = '${kind}' AND staged.record ? '${list}' AND ${table}.${kind}_key = holder.key AND NOT EXISTS (
    SELECT FROM staged_links AS link JOIN ${target}s AS target ON target.id = link.target
    WHERE link.kind = '${kind}' AND link.list = '${list}' AND link.id = staged.id
      AND target.key = ${table}.${target}_key)`;

function addition({ kind, list, table, target }: Relation): string {
  // A group membership has the workspace of its group, so that the database can require the membership of that
  // workspace.
  const [column, value, condition] =
    table === 'group_memberships'
      ? [', workspace_key', ', target.workspace_key', 'AND had.workspace_key = target.workspace_key']
      : ['', '', ''];
  return `
    INSERT INTO ${table} (${kind}_key, ${target}_key${column}) SELECT holder.key, target.key${value}
    FROM staged_links AS link JOIN ${kind}s AS holder ON holder.id = link.id
      JOIN ${target}s AS target ON target.id = link.target
    WHERE kind = '${kind}' AND list = '${list}' AND NOT EXISTS (
      SELECT FROM ${table} AS had
      WHERE had.${kind}_key = holder.key AND had.${target}_key = target.key ${condition})
    ORDER BY holder.key, target.key`;
}
