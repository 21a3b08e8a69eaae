import { type FilterNode, GROUP } from '@user-administration/scim-protocol';
import { comparableName } from './comparable-names';
import { FROM_GROUPS } from './provisioned-group';
import { type FilterAttributes, filterCondition } from './scim-filter-sql';

/** The attributes of groups that can be filtered, over `FROM_GROUPS`. */
const GROUP_FILTER: FilterAttributes = {
  id: { kind: 'text', sql: 'g.id' },
  externalid: { kind: 'text', sql: 'seen.external_id' },
  displayname: { kind: 'text', sql: comparableName('g.name'), folded: true, equalled: comparableName },
  'meta.created': { kind: 'time', sql: 'g.created_at' },
  'meta.lastmodified': { kind: 'time', sql: 'GREATEST(g.updated_at, seen.updated_at)' },
  members: {
    kind: 'rows',
    from: `group_memberships AS m JOIN scim_users AS p ON p.user_key = m.user_key AND p.connection_key = c.key
      JOIN users AS u ON u.key = m.user_key AND m.group_key = g.key`,
    parts: {
      value: { kind: 'text', sql: 'p.id' },
      display: { kind: 'text', sql: 'fold_case(u.display_name)', folded: true },
      type: { kind: 'text', sql: `'user'::text`, folded: true },
    },
  },
};

/**
 * The condition of a filter over `FROM_GROUPS`.
 *
 * A provider that looks for a group by its name alone stops if it finds two, and two can have been made by hand. So it
 * finds that of the connection's own workspace, else of the first of its other workspaces; of one workspace, the oldest.
 *
 * @param parameters begin with the key of the connection
 * @throws ScimError `invalidFilter`
 */
export function groupCondition(filter: FilterNode | undefined, parameters: unknown[]): string {
  if (!filter) return 'true';
  const condition = filterCondition(filter, GROUP.id, GROUP_FILTER, parameters);
  if (!isNameAlone(filter)) return condition;
  return `g.key = (
    SELECT g.key FROM ${FROM_GROUPS} WHERE c.key = $1 AND ${condition}
    ORDER BY array_position(array_prepend(c.workspace_key, c.more_workspace_keys), g.workspace_key), g.key LIMIT 1
  )`;
}

function isNameAlone(filter: FilterNode): boolean {
  return filter.op === 'eq' && filter.attribute.toLowerCase().split(':').at(-1) === 'displayname';
}
