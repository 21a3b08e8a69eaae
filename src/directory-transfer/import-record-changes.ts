import type { EntityManager } from 'typeorm';
import { PERMISSION_FACTS_IN_SQL } from '../permissions/permission-facts';
import { PLACE_FACTS_IN_SQL } from '../workspaces/place-facts';
import { entry } from './import-entry';

type Kind = 'permission' | 'workspace' | 'group';

/** Permissions of workspaces and groups have entries of their own, as for every other change. */
const FACTS = { permission: PERMISSION_FACTS_IN_SQL, ...PLACE_FACTS_IN_SQL };

/** Stores the locked records of the file in `records_before` before anything is written. New records are not in it. */
export async function rememberRecords(manager: EntityManager): Promise<void> {
  await manager.query(`
    CREATE TEMPORARY TABLE records_before (
      kind text COLLATE "C",
      id varchar(255) COLLATE "C",
      fields jsonb NOT NULL,
      PRIMARY KEY (kind, id)
    ) ON COMMIT DROP`);
  for (const [kind, { fields }] of Object.entries(FACTS)) {
    await manager.query(`
      INSERT INTO records_before (kind, id, fields)
      SELECT kind, id, jsonb_build_object(${fields})
      FROM ${kind}s JOIN staged_records USING (id) JOIN import_locks USING (kind, key)
      WHERE kind = '${kind}' ORDER BY id`);
  }
  await manager.query('ANALYZE records_before');
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

/** Queries for the entries, in order: each record itself before its permissions. */
export const RECORD_CHANGES: readonly string[] = [
  written('permission', 'NULL'),
  written('workspace', 'ARRAY[id]'),
  permitted('workspace', 'id'),
  written('group', `ARRAY[${WORKSPACE_OF_GROUP}]`),
  permitted('group', WORKSPACE_OF_GROUP),
];
