import type { JournalFacts } from '../contract/journal';
import type { MembershipChange } from '../directory/memberships';
import type { HolderKind } from '../directory/permission-holders';
import type { NewEntry } from '../journal/new-entry';
import type { TypeChange } from './user-type.service';

/** The journal entries of changes to users: one for each user and action, none if nothing changed. */
export function unassigned({ userId, workspaces, groups, concerns }: MembershipChange): NewEntry {
  return { action: 'user.workspaces.unassigned', user: userId, workspaces: concerns, before: { workspaces, groups } };
}

export function typeChanged({ userId, before, after }: TypeChange): NewEntry {
  return { action: 'user.type.changed', user: userId, before: { type: before }, after: { type: after } };
}

export interface HolderChange {
  holder: HolderKind;
  id: string;
  /** The holder itself if it is a workspace, or the workspace of the group. */
  workspaces: readonly string[];
  before: readonly string[];
  after: readonly string[];
}

export function permissionsChanged({ holder, id, workspaces, before, after }: HolderChange): NewEntry[] {
  if (before.join('\0') === after.join('\0')) return [];
  const facts = { before: { permissions: before }, after: { permissions: after } };
  if (holder === 'user') return [{ action: 'user.permissions.changed', user: id, ...facts }];
  if (holder === 'workspace') return [{ action: 'workspace.permissions.changed', workspaces, ...facts }];
  const inGroup = (permissions: readonly string[]) => ({ group: id, permissions });
  return [{ action: 'group.permissions.changed', workspaces, before: inGroup(before), after: inGroup(after) }];
}

export function userCreated(user: string, after: JournalFacts['user.created']): NewEntry {
  return { action: 'user.created', user, workspaces: after.workspaces, after };
}

export function userUpdated(
  user: string,
  before: JournalFacts['user.updated'],
  after: JournalFacts['user.updated'],
): NewEntry {
  return { action: 'user.updated', user, before, after };
}

export function userDeleted(user: string, before: JournalFacts['user.deleted']): NewEntry {
  return { action: 'user.deleted', user, workspaces: before.workspaces, before };
}
