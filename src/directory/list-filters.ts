import type { ListFilter } from './record-page';

/** The filters of lists. Each defines how one record is tested, and which index finds all matches. */

export function hasId(ids: readonly string[]): ListFilter {
  return { parameters: { ids }, probe: 'record.id = ANY(:ids)' };
}

/** Equality with a column that is indexed together with the id, such as `type`. */
export function equals(column: string, value: string): ListFilter {
  return { parameters: { [column]: value }, probe: `record.${column} = :${column}` };
}

/** The searchable tables, and the text of a record that is searched. The indexes use the same expressions. */
const SEARCHED = {
  users: `record.id || E'\\n' || COALESCE(record.email, '') || E'\\n' || COALESCE(record.display_name, '')`,
  workspaces: `record.id || E'\\n' || record.name`,
  groups: `record.id || E'\\n' || record.name`,
  permissions: `record.id || E'\\n' || COALESCE(record.description, '')`,
};
export type SearchedTable = keyof typeof SEARCHED;

/** Records that contain a text, in any case; only at their beginning if the database has no trigram indexes. */
export function contains(table: SearchedTable, text: string, anywhere: boolean): ListFilter {
  const condition = `searchable(${SEARCHED[table]}) LIKE ${anywhere ? `'%' ||` : ''} searchable(:search) || '%'`;
  return { parameters: { search: text }, probe: condition, gather: condition };
}

const WORKSPACE = '(SELECT key FROM workspaces WHERE id = :workspace)';
const GROUP = '(SELECT key FROM groups WHERE id = :group)';
const PERMISSION = '(SELECT key FROM permissions WHERE id = :permission)';

/** Users in a workspace. */
export function memberOfWorkspace(id: string): ListFilter {
  return {
    parameters: { workspace: id },
    probe: exists(`workspace_memberships WHERE user_key = record.key AND workspace_key = ${WORKSPACE}`),
    gather: among(`SELECT user_key FROM workspace_memberships WHERE workspace_key = ${WORKSPACE}`),
  };
}

/** Users in a group. */
export function memberOfGroup(id: string): ListFilter {
  const workspace = '(SELECT workspace_key FROM groups WHERE id = :group)';
  return {
    parameters: { group: id },
    probe: exists(
      `group_memberships WHERE user_key = record.key AND workspace_key = ${workspace} AND group_key = ${GROUP}`,
    ),
    gather: among(`SELECT user_key FROM group_memberships WHERE group_key = ${GROUP}`),
  };
}

/** Users who hold a permission directly, through a workspace or through a group. */
export function holderOf(id: string): ListFilter {
  const inWorkspace = 'workspace_memberships JOIN workspace_permissions USING (workspace_key)';
  const inGroup = 'group_memberships JOIN group_permissions USING (group_key)';
  return {
    parameters: { permission: id },
    probe: `(${[
      exists(`user_permissions WHERE user_key = record.key AND permission_key = ${PERMISSION}`),
      exists(`${inWorkspace} WHERE user_key = record.key AND permission_key = ${PERMISSION}`),
      exists(`${inGroup} WHERE user_key = record.key AND permission_key = ${PERMISSION}`),
    ].join(' OR ')})`,
    gather: among(`SELECT user_key FROM user_permissions WHERE permission_key = ${PERMISSION}
      UNION SELECT user_key FROM ${inWorkspace} WHERE permission_key = ${PERMISSION}
      UNION SELECT user_key FROM ${inGroup} WHERE permission_key = ${PERMISSION}`),
  };
}

/** Groups of a workspace. */
export function inWorkspace(id: string): ListFilter {
  return { parameters: { workspace: id }, probe: `record.workspace_key = ${WORKSPACE}` };
}

/** A scalar subquery, which PostgreSQL evaluates for each record by an index. It might turn an EXISTS into a join of all rows. */
function exists(source: string): string {
  return `COALESCE((SELECT true FROM ${source} LIMIT 1), false)`;
}

/** The keys as an array, which is computed once. */
function among(keys: string): string {
  return `record.key = ANY(ARRAY(${keys}))`;
}
