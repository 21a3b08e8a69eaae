import { membershipHasEnded } from '../../directory/current-status';
import { type FilterNode, GROUP, GROUP_TYPE } from '@user-administration/scim-protocol';
import { etagOf } from '../../answers/etag';
import type { LockedPlace } from '../../workspaces/place-kinds';
import { comparableName, trimmedName } from './group-fields';
import type { Resource, ResourceKind } from './resource-kind';
import { type FilterAttributes, filterCondition } from './scim-filter-sql';

/** A group that a connection sees: our record, and the fields that the connection stores. */
export interface ProvisionedGroup {
  key: string;
  id: string;
  name: string;
  workspaceKey: string;
  workspaceId: string;
  externalId: string | null;
  /** Whether this connection made the group, or one that has ended and whose groups this one has taken over. */
  made: boolean;
  /** The number of changes that the connection made to its members. */
  changes: number;
  createdAt: Date;
  updatedAt: Date;
}

/** For the use cases of groups. The caller has locked the group. */
export function toPlace({ key, id, name, workspaceId: workspace }: ProvisionedGroup): LockedPlace {
  return { kind: 'group', key, id, name, workspace };
}

const MADE = `(maker.group_key IS NOT NULL AND (
  maker.connection_key = c.key OR (maker.connection_key IS NULL AND g.workspace_key = c.workspace_key)))`;

/** For a query over {@link FROM_GROUPS}. */
const COLUMNS = `g.key, g.id, g.name, g.workspace_key AS "workspaceKey", w.id AS "workspaceId", seen.external_id AS
"externalId",
  ${MADE} AS made, COALESCE(seen.changes, 0) AS changes, g.created_at AS "createdAt",
  GREATEST(g.updated_at, seen.updated_at) AS "updatedAt"`;

/** The groups that the connection with the key of the first parameter sees, and their workspaces. */
export const FROM_GROUPS = `scim_connections AS c
  JOIN groups AS g ON g.workspace_key = c.workspace_key OR g.workspace_key = ANY (c.more_workspace_keys)
  JOIN workspaces AS w ON w.key = g.workspace_key
  LEFT JOIN scim_groups AS seen ON seen.connection_key = c.key AND seen.group_key = g.key
  LEFT JOIN scim_made_groups AS maker ON maker.group_key = g.key`;

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
      JOIN users AS u ON u.key = m.user_key AND m.group_key = g.key AND NOT ${membershipHasEnded('m')}`,
    parts: {
      value: { kind: 'text', sql: 'p.id' },
      display: { kind: 'text', sql: 'fold_case(u.display_name)', folded: true },
      type: { kind: 'text', sql: `'user'::text`, folded: true },
    },
  },
};

export const GROUPS: ResourceKind<ProvisionedGroup> = {
  type: GROUP_TYPE,
  unknown: 'group.unknown',
  columns: COLUMNS,
  from: FROM_GROUPS,
  positionsFrom: FROM_GROUPS,
  connectionKey: 'c.key',
  id: 'g.id',
  key: 'g.key',
  // Prevents a walk over the groups of all workspaces to save a sort.
  sortKey: 'g.key + 0',
  bytes: '0',
  hasMembers: true,
  condition: groupCondition,
  // A connection sees few groups.
  isSelective: () => true,
  toResource,
};

/** A group without its members. */
function toResource(group: ProvisionedGroup): Resource {
  const { meta, ...content } = contentOf(group);
  return { ...content, meta: { ...meta, version: etagOf(versionedGroup(group)) } };
}

/** The content that the version of a group is computed from. */
export function versionedGroup(group: ProvisionedGroup): object {
  return { ...contentOf(group), changes: group.changes };
}

function contentOf({ id, name, externalId, createdAt, updatedAt }: ProvisionedGroup) {
  return {
    schemas: [GROUP.id],
    id,
    ...(externalId !== null && { externalId }),
    displayName: trimmedName(name),
    meta: { resourceType: 'Group', created: createdAt.toISOString(), lastModified: updatedAt.toISOString() },
  };
}

/**
 * The condition of a filter over `FROM_GROUPS`.
 *
 * A provider that looks for a group by its name alone stops if it finds two, and administrators can make two. So it
 * finds the one of the connection's own workspace, else of the first of its other workspaces; within a workspace, the
 * oldest.
 *
 * @param parameters begin with the key of the connection
 * @throws ScimError `invalidFilter`
 */
function groupCondition(filter: FilterNode, parameters: unknown[]): string {
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
