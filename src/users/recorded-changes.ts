import type { ChangedPlacesDto, ChangedStatusDto } from './dto/bulk.dto';
import type { UndoneUserDto } from './dto/undo.dto';
import type { UserStatus, UserType } from '../contract/directory';
import type { Ends } from '../contract/journal';
import { inOrderOfBytes } from '../directory/byte-order';

/** A change as the journal stores it: the action, and the users. */
export type RecordedChange = { user_ids: string[] } & (
  | { action: 'user.workspaces.assigned'; after: Places }
  | { action: 'user.workspaces.unassigned'; before: Places }
  | { action: 'user.workspaces.extended' | 'user.workspaces.shortened'; after: Ends }
  | { action: 'user.type.changed'; before: { type: UserType }; after: { type: UserType } }
  | { action: 'user.status.changed'; before: { status: UserStatus }; after: { status: UserStatus } }
);

type Places = Pick<ChangedPlacesDto, 'workspaces' | 'groups' | 'until'>;

/** Each user whose memberships, their ends or type changed, by id. */
export function changedPlaces(changes: readonly RecordedChange[]): ChangedPlacesDto[] {
  const users = new Map<string, ChangedPlacesDto>();
  for (const change of changes)
    for (const id of change.user_ids)
      users.set(id, withFacts(users.get(id) ?? { id, workspaces: [], groups: [] }, change));
  return inOrderOfBytes([...users.values()], ({ id }) => id);
}

/** Each user whose status changed, by id. */
export function changedStatuses(changes: readonly RecordedChange[]): ChangedStatusDto[] {
  const users = changes.flatMap((change) => {
    if (change.action !== 'user.status.changed') return [];
    const status = { before: change.before.status, after: change.after.status };
    return change.user_ids.map((id) => ({ id, status }));
  });
  return inOrderOfBytes(users, ({ id }) => id);
}

/** Each user whose memberships, their ends, type or status changed, by id. */
export function changedBack(changes: readonly RecordedChange[]): UndoneUserDto[] {
  const places = changedPlaces(changes.filter(({ action }) => action !== 'user.status.changed'));
  const users = new Map<string, UndoneUserDto>(places.map((user) => [user.id, user]));
  for (const { id, status } of changedStatuses(changes)) users.set(id, { ...(users.get(id) ?? { id }), status });
  return inOrderOfBytes([...users.values()], ({ id }) => id);
}

function withFacts(user: ChangedPlacesDto, change: RecordedChange): ChangedPlacesDto {
  switch (change.action) {
    case 'user.workspaces.assigned':
      return withPlaces(user, change.after);
    case 'user.workspaces.unassigned':
      return withPlaces(user, change.before);
    case 'user.workspaces.extended':
    case 'user.workspaces.shortened':
      return withPlaces(user, { workspaces: [], groups: [], until: change.after });
    case 'user.type.changed':
      return { ...user, type: { before: change.before.type, after: change.after.type } };
    case 'user.status.changed':
      return user;
  }
}

/** An undoing can give a user places and take others, and move ends as well. */
function withPlaces(user: ChangedPlacesDto, { workspaces, groups, until }: Places): ChangedPlacesDto {
  const { type, until: known, ...places } = user;
  const ends = until && {
    workspaces: { ...known?.workspaces, ...until.workspaces },
    groups: { ...known?.groups, ...until.groups },
  };
  return {
    ...places,
    workspaces: [...places.workspaces, ...workspaces],
    groups: [...places.groups, ...groups],
    ...((ends ?? known) && { until: ends ?? known }),
    ...(type && { type }),
  };
}
