import type { EntityManager } from 'typeorm';
import { accountHasEnded } from '../../directory/current-status';
import { writableFields } from '../../contract/record-fields';
import { RECORD_KINDS, type RecordKind } from './directory-record.rules';
import type { ImportProgress } from './import-progress';
import { readPassedEnds } from './staging';

/** The new value of a column. A missing field keeps the old value, and null clears it. */
const given = (field: string, column: string, cast = ''): string =>
  `CASE WHEN record ? '${field}' THEN (record ->> '${field}')${cast} ELSE ${column} END`;

/** The declared fields of users. The status and the end of an account depend on each other. */
const USER_FIELDS = writableFields('user');
const USER_TEXTS = USER_FIELDS.filter(([, { type }]) => type === 'text');
/** Statuses have a function that writes them. */
const USER_COLUMNS = USER_FIELDS.map(([, { column }]) => column).filter((column) => column !== 'status');

/** The number of users whose memberships are written at once, so that memory stays bounded. */
const USERS_AT_ONCE = 10_000;

/**
 * Makes the tables match the staged file, each with a constant number of statements, and none for kinds of records that
 * the file does not have. Rows that already match are not written, and keep their `updated_at`.
 *
 * @param kinds the kinds of records in the file
 * @param isLarge whether new statistics are worth their cost
 * @param grantsTypes whether new users begin with the types that their lines grant, by the default rule
 * @returns how many records were created, and how many rows were written in all
 */
export async function writeStaged(
  manager: EntityManager,
  kinds: ReadonlySet<RecordKind>,
  { isLarge, grantsTypes }: { isLarge: boolean; grantsTypes: boolean },
  progress: ImportProgress,
): Promise<{ created: Record<RecordKind, number>; rowsWritten: number }> {
  let rowsWritten = 0;
  const wrote = (rows: number): number => {
    rowsWritten += rows;
    progress.step();
    return rows;
  };
  const write = async (statement: string): Promise<number> => {
    const [row]: { rows: number }[] = await manager.query(
      `WITH written AS (${statement} RETURNING 1) SELECT count(*)::integer AS rows FROM written`,
    );
    return wrote(row?.rows ?? 0);
  };
  const writeGrants = async (isHolder: (kind: HolderKind) => boolean): Promise<void> => {
    const holders = HOLDERS.filter(isHolder);
    for (const holder of holders) await write(revocation(holder));
    for (const holder of holders) await write(grant(holder));
  };
  const analyze = async (tables: string): Promise<void> => {
    if (isLarge) await manager.query(`ANALYZE ${tables}`);
  };

  const created = { permission: 0, workspace: 0, group: 0, user: 0 };
  // Users come last, because their types follow from the permissions of places.
  const others = RECORD_KINDS.filter((kind) => kind !== 'user' && kinds.has(kind));
  for (const kind of others) await write(UPDATES[kind]);
  for (const kind of others) created[kind] = await write(insertion(kind, grantsTypes));
  await writeGrants((holder) => others.includes(holder));
  await analyze('permissions, workspaces (key, id), groups (key, id), workspace_permissions, group_permissions');
  if (!kinds.has('user')) return { created, rowsWritten };
  await readPassedEnds(manager);
  const [statuses]: [{ written: number }] = await manager.query('SELECT import_statuses() AS written');
  wrote(statuses.written);
  await write(CLEAR_EMAILS);
  await freeMovedEmails(manager);
  await write(UPDATES.user);
  created.user = await write(insertion('user', grantsTypes));
  await analyze('users (key, id)');
  await writeGrants((holder) => holder === 'user');
  for (let last: string | null = ''; last !== null;) {
    const [part]: [{ last: string | null; written: number }] = await manager.query(
      'SELECT last_id AS last, written::integer FROM import_memberships($1, $2)',
      [last, USERS_AT_ONCE],
    );
    last = part.last;
    wrote(part.written);
  }
  await analyze('user_permissions, workspace_memberships, group_memberships');
  return { created, rowsWritten };
}

/** The steps that {@link writeStaged} reports for so many users, if it has all kinds of records. */
export const writeSteps = (users: number): number =>
  2 * RECORD_KINDS.length + 2 + 2 * HOLDERS.length + Math.ceil(users / USERS_AT_ONCE);

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
    UPDATE users SET ${USER_COLUMNS.map((column) => `${column} = new.${column}`).join(', ')},
      end_refused_at = CASE WHEN new.active_until = old.active_until THEN old.end_refused_at END,
      updated_at = GREATEST(now(), users.updated_at)
    FROM staged_records JOIN users AS old USING (id)
    CROSS JOIN LATERAL (
      SELECT ${USER_TEXTS.map(([name, { column }]) => `${given(name, `old.${column}`)} AS ${column}`).join(', ')},
        ${given('activeUntil', LASTING_END, '::timestamptz')} AS active_until) AS new
    WHERE kind = 'user' AND users.key = old.key
      AND (${USER_COLUMNS.map((column) => `old.${column}`).join(', ')})
        IS DISTINCT FROM (${USER_COLUMNS.map((column) => `new.${column}`).join(', ')})`,
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

function insertion(kind: RecordKind, grantsTypes: boolean): string {
  switch (kind) {
    case 'permission':
      return insert(kind, 'permissions', 'description, grants', DESCRIPTION_AND_GRANTS);
    case 'workspace':
      return insert(kind, 'workspaces', 'name', `record ->> 'name'`);
    case 'group':
      return insert(kind, 'groups', 'name, workspace_key', NAME_AND_WORKSPACE);
    case 'user':
      return insert(
        kind,
        'users',
        `${USER_TEXTS.map(([, { column }]) => column).join(', ')}, status, active_until, type`,
        `${USER_TEXTS.map(([name]) => `record ->> '${name}'`).join(', ')},
         coalesce((record ->> 'status')::user_status, 'active'), (record ->> 'activeUntil')::timestamptz,
         ${grantsTypes ? `coalesce(granted.type, 'guest')` : `'guest'`}`,
        grantsTypes ? `LEFT JOIN (${grantedTypes()}) AS granted USING (id)` : '',
      );
  }
}

const DESCRIPTION_AND_GRANTS = `record ->> 'description', (record ->> 'grants')::user_type`;
const NAME_AND_WORKSPACE = `record ->> 'name',
  (SELECT key FROM workspaces WHERE workspaces.id = record ->> 'workspace')`;

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

/** The kinds of records that hold permissions. After an import, each has exactly those that its line lists. */
const HOLDERS = ['workspace', 'group', 'user'] as const;
type HolderKind = (typeof HOLDERS)[number];

const revocation = (holder: HolderKind): string => `
  DELETE FROM ${holder}_permissions AS had USING staged_records AS staged JOIN ${holder}s AS holder USING (id)
  WHERE staged.kind = '${holder}' AND staged.record ? 'permissions' AND had.${holder}_key = holder.key AND NOT EXISTS (
    SELECT FROM staged_links AS link JOIN permissions ON permissions.id = link.target
    WHERE link.kind = '${holder}' AND link.list = 'permissions' AND link.id = staged.id
      AND permissions.key = had.permission_key)`;

const grant = (holder: HolderKind): string => `
  INSERT INTO ${holder}_permissions (${holder}_key, permission_key) SELECT holder.key, permissions.key
  FROM staged_links AS link JOIN ${holder}s AS holder ON holder.id = link.id
    JOIN permissions ON permissions.id = link.target
  WHERE kind = '${holder}' AND list = 'permissions' AND NOT EXISTS (
    SELECT FROM ${holder}_permissions AS had
    WHERE had.${holder}_key = holder.key AND had.permission_key = permissions.key)
  ORDER BY holder.key, permissions.key`;
