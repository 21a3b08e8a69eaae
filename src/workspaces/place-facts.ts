import type { NewEntry } from '../journal/new-entry';
import type { LockedPlace } from './place-kinds';

type Place = Omit<LockedPlace, 'key'>;

/** What entries tell, as SQL over columns, for sets: what names a place beside its workspace, and its fields. */
export const PLACE_FACTS_IN_SQL = {
  workspace: { named: '', fields: `'name', name` },
  group: { named: `'group', id`, fields: `'name', name` },
};

export function placeCreated({ kind, id, name, workspace }: Place): NewEntry {
  const workspaces = [workspace];
  return kind === 'group'
    ? { action: 'group.created', workspaces, after: { group: id, name } }
    : { action: 'workspace.created', workspaces, after: { name } };
}

export function placeRenamed({ kind, id: group, name: old, workspace }: Place, name: string): NewEntry {
  const workspaces = [workspace];
  return kind === 'group'
    ? { action: 'group.updated', workspaces, before: { group, name: old }, after: { group, name } }
    : { action: 'workspace.updated', workspaces, before: { name: old }, after: { name } };
}

export function placeDeleted({ kind, id, name, workspace }: Place, permissions: readonly string[]): NewEntry {
  const workspaces = [workspace];
  return kind === 'group'
    ? { action: 'group.deleted', workspaces, before: { group: id, name, permissions } }
    : { action: 'workspace.deleted', workspaces, before: { name, permissions } };
}
