import type { HolderKind } from '../directory/permission-holders';
import type { NewEntry } from '../journal/new-entry';
import type { TypeChange } from './user-type.service';

/** What the journal is told of changes to users: an entry for each user and action, none where nothing changed. */
export function typeChanged({ userId, before, after }: TypeChange): NewEntry {
  return { action: 'user.type.changed', user: userId, before: { type: before }, after: { type: after } };
}

export interface HolderChange {
  holder: HolderKind;
  id: string;
  /** The workspace that the holder is or lives in. */
  workspaces: string[];
  before: string[];
  after: string[];
}

export function permissionsChanged({ holder, id, workspaces, before, after }: HolderChange): NewEntry[] {
  if (before.join('\0') === after.join('\0')) return [];
  const facts = { before: { permissions: before }, after: { permissions: after } };
  if (holder === 'user') return [{ action: 'user.permissions.changed', user: id, ...facts }];
  if (holder === 'workspace') return [{ action: 'workspace.permissions.changed', workspaces, ...facts }];
  const inGroup = (permissions: string[]) => ({ group: id, permissions });
  return [{ action: 'group.permissions.changed', workspaces, before: inGroup(before), after: inGroup(after) }];
}
