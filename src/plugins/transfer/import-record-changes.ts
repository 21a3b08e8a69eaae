import type { EntityManager } from 'typeorm';
import { PERMISSION_FACTS_IN_SQL } from '../../permissions/permission-facts';
import { PLACE_FACTS_IN_SQL } from '../../workspaces/place-facts';
import type { RecordKind } from './directory-record.rules';
import { entry } from './import-entry';

type Kind = Exclude<RecordKind, 'user'>;

/** Permissions of workspaces and groups have entries of their own, as for every other change. */
const FACTS = { permission: PERMISSION_FACTS_IN_SQL, ...PLACE_FACTS_IN_SQL };

/**
 * Stores the locked records of the file, of these kinds, in `records_before` before anything is written. New ones are
 * not in it.
 */
export async function rememberRecords(manager: EntityManager, kinds: ReadonlySet<RecordKind>): Promise<void> {
  const remembered = Object.entries(FACTS).filter(([kind]) => kinds.has(kind as Kind));
  if (remembered.length === 0) return;
  const records = remembered.map(
    ([kind, { fields }]) => `
      SELECT kind, id, jsonb_build_object(${fields}) AS fields
      FROM ${kind}s JOIN staged_records USING (id) JOIN import_locks USING (kind, key) WHERE kind = '${kind}'`,
  );
  await manager.query(`INSERT INTO records_before (kind, id, fields) ${records.join(' UNION ALL ')}`);
}

const written = (kind: Kind, workspaces: string): string => `
  SELECT ${entry(
    { when: 'old.fields IS NULL', then: `${kind}.created`, otherwise: `${kind}.updated` },
    {
      workspaces,
      before: `jsonb_build_object(${FACTS[kind].named}) || changed.before`,
      after: `jsonb_build_object(${FACTS[kind].named}) || changed.after`,
    },
  )}
  FROM ${kind}s JOIN staged_records USING (id) LEFT JOIN records_before AS old USING (kind, id)
  CROSS JOIN LATERAL (
    SELECT jsonb_object_agg(key, old.fields -> key) FILTER (WHERE old.fields ? key) AS before,
      jsonb_object_agg(key, value) AS after
    FROM jsonb_each(jsonb_build_object(${FACTS[kind].fields})) WHERE value IS DISTINCT FROM old.fields -> key
  ) AS changed
  WHERE kind = '${kind}' AND changed.after IS NOT NULL
  ORDER BY id`;

const permitted = (place: 'workspace' | 'group', workspace: string): string => `
  SELECT ${entry(`${place}.permissions.changed`, {
    workspaces: `ARRAY[${workspace}]`,
    before: `jsonb_build_object(${FACTS[place].named}) || jsonb_build_object('permissions', permissions)`,
    after: `jsonb_build_object(${FACTS[place].named}) || jsonb_build_object('permissions', permissions_now)`,
  })}
  FROM changed_permitting JOIN ${place}s USING (id) CROSS JOIN LATERAL (
    SELECT ARRAY(
      SELECT permissions.id FROM ${place}_permissions JOIN permissions ON permissions.key = permission_key
      WHERE ${place}_key = ${place}s.key ORDER BY 1) AS permissions_now
  ) AS changed
  WHERE kind = '${place}' AND permissions_now <> permissions
  ORDER BY id`;

const WORKSPACE_OF_GROUP = '(SELECT workspaces.id FROM workspaces WHERE workspaces.key = groups.workspace_key)';

/** A query for the entries of records of these kinds, in order: each record itself before its permissions. */
export function recordChanges(kinds: ReadonlySet<RecordKind>): string {
  const changes: readonly [Kind, string][] = [
    ['permission', written('permission', 'NULL')],
    ['workspace', written('workspace', 'ARRAY[id]')],
    ['workspace', permitted('workspace', 'id')],
    ['group', written('group', `ARRAY[${WORKSPACE_OF_GROUP}]`)],
    ['group', permitted('group', WORKSPACE_OF_GROUP)],
  ];
  return changes
    .filter(([kind]) => kinds.has(kind))
    .map(([, query]) => `(${query})`)
    .join(' UNION ALL ');
}
