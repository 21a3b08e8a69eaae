import type { DataSource, QueryRunner } from 'typeorm';
import { accountHasEnded, membershipHasEnded } from '../../directory/current-status';
import { writableFields } from '../../contract/record-fields';
import { RECORD_KINDS, type RecordKind } from './directory-record.rules';
import { fetchRows, inSnapshot } from './snapshot';

/** Ids are ordered by bytes (collation C), so every database returns the same order. */
const listed = (table: string, holder: string, target: string): string =>
  `ARRAY(SELECT t.id FROM ${table} AS h JOIN ${target}s AS t ON t.key = h.${target}_key ` +
  `WHERE h.${holder}_key = r.key ORDER BY 1)`;

/** Memberships: the id alone, or with the end that it has. What has ended is left out. */
const memberships = (target: string): string =>
  `ARRAY(SELECT CASE WHEN h.ends_at IS NULL THEN to_jsonb(t.id)
       ELSE jsonb_build_object('id', t.id, 'until', iso_time(h.ends_at)) END
     FROM ${target}_memberships AS h JOIN ${target}s AS t ON t.key = h.${target}_key
     WHERE h.user_key = r.key AND NOT ${membershipHasEnded('h')} ORDER BY t.id)`;

/** The declared fields, each its column or another value. */
const fieldsIn = (kind: RecordKind, others: Record<string, string> = {}): string =>
  writableFields(kind)
    .map(([name, { column }]) => `${others[name] ?? `r.${column}`} AS "${name}"`)
    .join(', ');

/**
 * Columns have the order and the names of the JSON output. A value that is not set is null, so that an import clears
 * it.
 */
const QUERIES: Record<RecordKind, string> = {
  permission: `SELECT id, ${fieldsIn('permission')} FROM permissions AS r ORDER BY id`,
  workspace: `
    SELECT id, ${fieldsIn('workspace')}, ${listed('workspace_permissions', 'workspace', 'permission')} AS permissions
    FROM workspaces AS r ORDER BY id`,
  group: `
    SELECT id, ${fieldsIn('group')}, (SELECT w.id FROM workspaces AS w WHERE w.key = r.workspace_key) AS workspace,
      ${listed('group_permissions', 'group', 'permission')} AS permissions
    FROM groups AS r ORDER BY id`,
  user: `
    SELECT id, ${fieldsIn('user', {
      status: `CASE WHEN has_ended THEN 'inactive' ELSE status END`,
      activeUntil: 'CASE WHEN NOT has_ended THEN iso_time(active_until) END',
    })},
      ${listed('user_permissions', 'user', 'permission')} AS permissions,
      ${memberships('workspace')} AS workspaces, ${memberships('group')} AS groups
    FROM users AS r CROSS JOIN LATERAL (SELECT ${accountHasEnded('r')} AS has_ended) AS judged
      ORDER BY id`,
};

/**
 * The whole directory at one moment, as lines (without line ends) that an import can read: permissions, workspaces,
 * groups, users, each by id. It holds at most a few thousand rows in memory. It uses one connection until it is read
 * completely or the loop is left.
 *
 * @example for await (const line of exportDirectory(dataSource)) console.log(line);
 */
export function exportDirectory(dataSource: DataSource): AsyncGenerator<string, void, undefined> {
  return inSnapshot(dataSource, async function* (runner) {
    for (const kind of RECORD_KINDS) yield* read(runner, kind);
  });
}

/** An account without an end says nothing of it, as a membership without one. */
const leaveOutNoEnd = (key: string, value: unknown): unknown =>
  key === 'activeUntil' && value === null ? undefined : value;

async function* read(runner: QueryRunner, kind: RecordKind): AsyncGenerator<string, void, undefined> {
  for await (const rows of fetchRows(runner, QUERIES[kind]))
    for (const row of rows) yield JSON.stringify({ [kind]: row }, leaveOutNoEnd);
}
