import { Group } from '../directory/group.entity';
import { Workspace } from '../directory/workspace.entity';
import type { FoundRecord } from '../records/find-record';
import { toGroupRecord, toWorkspaceRecord } from '../records/record-bodies';

/** A place is a workspace or a group. Its members hold its permissions. */
export interface PlaceKind<Place extends Workspace | Group, Body extends object> {
  kind: 'workspace' | 'group';
  entity: new () => Place;
  toBody(found: FoundRecord<Place>): Body;
}

export const WORKSPACE = { kind: 'workspace', entity: Workspace, toBody: toWorkspaceRecord } as const;

export const GROUP = { kind: 'group', entity: Group, toBody: toGroupRecord } as const;
