import { Group } from '../directory/group.entity';
import { Workspace } from '../directory/workspace.entity';
import type { FoundRecord } from '../records/find-record';
import { toGroupRecord, toWorkspaceRecord } from '../records/record-bodies';

/** A place is a workspace or a group. Its members hold its permissions. */
export interface PlaceKind<Place extends Workspace | Group = Workspace | Group, Body extends object = object> {
  kind: 'workspace' | 'group';
  entity: new () => Place;
  toBody(found: FoundRecord<Place>): Body;
}

export const WORKSPACE = { kind: 'workspace', entity: Workspace, toBody: toWorkspaceRecord } as const;

export const GROUP = { kind: 'group', entity: Group, toBody: toGroupRecord } as const;

/** A workspace or a group as the inner halves of its changes take it: the caller has locked it. */
export interface LockedPlace {
  kind: 'workspace' | 'group';
  key: string;
  id: string;
  name: string;
  /** The id of the workspace, or of that in which the group lives. */
  workspace: string;
}

export function lockedPlace(record: Workspace | Group): LockedPlace {
  const { key, id, name } = record;
  return record instanceof Group
    ? { kind: 'group', key, id, name, workspace: record.workspace?.id ?? '' }
    : { kind: 'workspace', key, id, name, workspace: id };
}
