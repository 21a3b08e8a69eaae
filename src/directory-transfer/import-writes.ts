import type { EntityManager } from 'typeorm';
import { RECORD_KINDS, type RecordKind } from './directory-record.rules';
import type { ImportProgress } from './import-progress';
import { RELATIONS, type Relation } from './staging';

/** A field left out leaves what stands; a field given as null clears. */
const given = (field: string, column: string): string =>
  `CASE WHEN record ? '${field}' THEN record ->> '${field}' ELSE ${column} END`;

/**
 * Brings the tables to what the staged file says, each in a constant number of statements. Rows that already are so stay
 * untouched, with their `updated_at`.
 *
 * @returns how many records were created, and how many rows were written in all
 */
export async function writeStaged(
  manager: EntityManager,
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

  await write(UPDATES.permission);
  await write(UPDATES.workspace);
  await write(UPDATES.group);
  await freeMovedEmails(manager);
  await write(UPDATES.user);
  const created = {
    permission: await write(INSERTS.permission),
    workspace: await write(INSERTS.workspace),
    group: await write(INSERTS.group),
    user: await write(INSERTS.user),
  };
  // The other way round, so that who leaves a group and its workspace is counted once: leaving a workspace leaves its groups.
  for (const relation of RELATIONS.toReversed()) await write(removal(relation));
  for (const relation of RELATIONS) await write(addition(relation));
  return { created, rowsWritten };
}

/** As many as {@link writeStaged} reports: what is updated, what is new, and each relation twice. */
export const WRITE_STEPS = 2 * RECORD_KINDS.length + 2 * RELATIONS.length;

const UPDATES: Record<RecordKind, string> = {
  permission: `
    UPDATE permissions SET description = new.description, grants = new.grants, updated_at = now()
    FROM staged_records JOIN permissions AS old USING (id)
    CROSS JOIN LATERAL (
      SELECT ${given('description', 'old.description')} AS description, (record ->> 'grants')::user_type AS grants) AS new
    WHERE kind = 'permission' AND permissions.key = old.key
      AND (old.description, old.grants) IS DISTINCT FROM (new.description, new.grants)`,
  workspace: `
    UPDATE workspaces SET name = record ->> 'name', updated_at = now() FROM staged_records AS staged
    WHERE kind = 'workspace' AND workspaces.id = staged.id AND name <> record ->> 'name'`,
  group: `
    UPDATE groups SET name = record ->> 'name', updated_at = now() FROM staged_records AS staged
    WHERE kind = 'group' AND groups.id = staged.id AND name <> record ->> 'name'`,
  user: `
    UPDATE users SET email = new.email, display_name = new.display_name, status = new.status, updated_at = now()
    FROM staged_records JOIN users AS old USING (id)
    CROSS JOIN LATERAL (
      SELECT ${given('email', 'old.email')} AS email, ${given('displayName', 'old.display_name')} AS display_name,
        coalesce((record ->> 'status')::user_status, old.status) AS status) AS new
    WHERE kind = 'user' AND users.key = old.key
      AND (old.email, old.display_name, old.status) IS DISTINCT FROM (new.email, new.display_name, new.status)`,
};

const insert = (kind: RecordKind, table: string, columns: string, values: string): string => `
  INSERT INTO ${table} (id, ${columns}) SELECT id, ${values} FROM staged_records
  WHERE kind = '${kind}' AND NOT EXISTS (SELECT FROM ${table} WHERE ${table}.id = staged_records.id) ORDER BY id`;

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
    'email, display_name, status',
    `record ->> 'email', record ->> 'displayName', coalesce((record ->> 'status')::user_status, 'active')`,
  ),
};

/** The unique index looks at each row as it is written, so users who swap emails must first let go of them. */
async function freeMovedEmails(manager: EntityManager): Promise<void> {
  await manager.query(`
    UPDATE users SET email = NULL FROM staged_records AS staged
    WHERE kind = 'user' AND users.id = staged.id AND record ? 'email' AND lower(email) <> lower(record ->> 'email')`);
}

const removal = ({ kind, list, table, target }: Relation): string => `
  DELETE FROM ${table} USING staged_records AS staged JOIN ${kind}s AS holder USING (id)
  WHERE staged.kind = '${kind}' AND staged.record ? '${list}' AND ${table}.${kind}_key = holder.key AND NOT EXISTS (
    SELECT FROM staged_links AS link JOIN ${target}s AS target ON target.id = link.target
    WHERE link.kind = '${kind}' AND link.list = '${list}' AND link.id = staged.id AND target.key = ${table}.${target}_key)`;

function addition({ kind, list, table, target }: Relation): string {
  // A group membership carries the group's workspace, by which the database ties it to the membership there.
  const [column, value, condition] =
    table === 'group_memberships'
      ? [', workspace_key', ', target.workspace_key', 'AND had.workspace_key = target.workspace_key']
      : ['', '', ''];
  return `
    INSERT INTO ${table} (${kind}_key, ${target}_key${column}) SELECT holder.key, target.key${value}
    FROM staged_links AS link JOIN ${kind}s AS holder ON holder.id = link.id JOIN ${target}s AS target ON target.id = link.target
    WHERE kind = '${kind}' AND list = '${list}' AND NOT EXISTS (
      SELECT FROM ${table} AS had
      WHERE had.${kind}_key = holder.key AND had.${target}_key = target.key ${condition})
    ORDER BY holder.key, target.key`;
}
