import { GROUP } from '@user-administration/scim-protocol';
import { etagOf } from '../answers/etag';
import type { LockedPlace } from '../workspaces/place-kinds';
import { trimmedName } from './comparable-names';

/** A group that a connection sees: our record, and what the connection keeps of it. */
export interface ProvisionedGroup {
  key: string;
  id: string;
  name: string;
  workspaceKey: string;
  workspaceId: string;
  externalId: string | null;
  /** Whether the connection made it, or takes over what one that has ended had made. */
  made: boolean;
  /** How often the connection changed its members. */
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
export const GROUP_COLUMNS = `g.key, g.id, g.name, g.workspace_key AS "workspaceKey", w.id AS "workspaceId", seen.external_id AS "externalId",
  ${MADE} AS made, COALESCE(seen.changes, 0) AS changes, g.created_at AS "createdAt",
  GREATEST(g.updated_at, seen.updated_at) AS "updatedAt"`;

/** The groups that the connection with the key of the first parameter sees, and their workspaces. */
export const FROM_GROUPS = `scim_connections AS c
  JOIN groups AS g ON g.workspace_key = c.workspace_key OR g.workspace_key = ANY (c.more_workspace_keys)
  JOIN workspaces AS w ON w.key = g.workspace_key
  LEFT JOIN scim_groups AS seen ON seen.connection_key = c.key AND seen.group_key = g.key
  LEFT JOIN scim_made_groups AS maker ON maker.group_key = g.key`;

/** A group as SCIM answers it, but for its members and its address. */
export function toGroupResource(group: ProvisionedGroup) {
  const { meta, ...content } = contentOf(group);
  return { ...content, meta: { ...meta, version: etagOf(versionedGroup(group)) } };
}

/** What the version of a group is made of. */
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
