import type { UserType } from '../contract/directory';
import { Group } from '../directory/group.entity';
import type { ChangedHolder } from '../directory/permitted-places';
import { Workspace } from '../directory/workspace.entity';
import type { NewEntry } from './new-entry';

/** Entries that several use cases append. */

interface TypeChange {
  userId: string;
  before: UserType;
  after: UserType;
}

export function typeChanged({ userId, before, after }: TypeChange): NewEntry {
  return { action: 'user.type.changed', user: userId, before: { type: before }, after: { type: after } };
}

/**
 * The workspaces that entries about a record name: the record itself if it is a workspace, or the workspace of a group.
 */
export function workspacesOf(record: object): string[] {
  if (record instanceof Group) return [record.workspace?.id ?? ''];
  return record instanceof Workspace ? [record.id] : [];
}

interface HolderChange extends ChangedHolder {
  after: string[];
}

/** @returns one entry, or none if nothing changed */
export function permissionsChanged({ holder, id, workspaces, before, after }: HolderChange): NewEntry[] {
  if (before.join('\0') === after.join('\0')) return [];
  const facts = { before: { permissions: before }, after: { permissions: after } };
  if (holder === 'user') return [{ action: 'user.permissions.changed', user: id, ...facts }];
  if (holder === 'workspace') return [{ action: 'workspace.permissions.changed', workspaces, ...facts }];
  const inGroup = (permissions: readonly string[]) => ({ group: id, permissions });
  return [{ action: 'group.permissions.changed', workspaces, before: inGroup(before), after: inGroup(after) }];
}
