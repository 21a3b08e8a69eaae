import type { CallOptions, ConditionalOptions, JournalEntry, PostOptions, UserType } from '@user-administration/client';
import type { NamedKind } from '../names.ts';
import { service } from '../service.ts';
import { isServiceError } from '../service-errors.ts';

/** A record of any kind, with its version. */
export interface AnyRecord {
  id: string;
  etag: string;
  workspace?: string;
}

/** Why, for the journal. */
interface Reasoned {
  reason?: string;
}

interface Operations {
  get(id: string, options?: CallOptions): Promise<AnyRecord>;
  create(body: object, options?: PostOptions & Reasoned): Promise<AnyRecord>;
  update(id: string, patch: object, options: ConditionalOptions & Reasoned): Promise<AnyRecord>;
  delete(id: string, options?: ConditionalOptions & Reasoned): Promise<void>;
}

/** What a change or a deletion would do to people. */
export interface Impact {
  /** Those that end with a deleted workspace. */
  connections?: { id: string; name: string }[];
  users: {
    affected: number;
    types: { before: UserType; after: UserType; count: number; first: string[] }[];
  };
}

/** @param patch undefined: the record would be deleted */
export async function impactOf(
  kind: NamedKind,
  id: string,
  patch: object | undefined,
  signal: AbortSignal,
): Promise<Impact> {
  const { users, workspaces, groups, permissions } = service;
  const records = { user: users, workspace: workspaces, group: groups, permission: permissions }[kind] as typeof users;
  const options = { dryRun: true, signal } as const;
  const { result } = await (patch ? records.update(id, patch, options) : records.delete(id, options));
  return result;
}

/** The operations that all kinds of records have. */
export function operationsOn(kind: NamedKind): Operations {
  const { users, workspaces, groups, permissions } = service;
  return { user: users, workspace: workspaces, group: groups, permission: permissions }[kind] as unknown as Operations;
}

/** A deletion whose first answer got lost: nothing is left for the second attempt. */
export async function deleted(deletion: Promise<void>, isAgain: boolean): Promise<void> {
  try {
    await deletion;
  } catch (error) {
    if (!isAgain || !isServiceError(error) || error.status !== 404) throw error;
  }
}

/** Where the page of a record of this kind is. */
export const PAGE_OF = { user: 'people', workspace: 'workspaces', group: 'groups', permission: 'permissions' } as const;

type Action = JournalEntry['action'];
const CHANGES: Readonly<Record<NamedKind, readonly Action[]>> = {
  user: ['user.updated', 'user.permissions.changed', 'user.status.changed', 'user.type.changed'],
  workspace: ['workspace.updated', 'workspace.permissions.changed'],
  group: ['group.updated', 'group.permissions.changed'],
  permission: ['permission.updated'],
};

/** The entry of the last change of a record, if it is among the newest of its kind. */
export async function lastChangeOf(kind: NamedKind, { id, workspace }: AnyRecord): Promise<JournalEntry | undefined> {
  const of = kind === 'user' ? { user: id } : { workspace: kind === 'workspace' ? id : workspace };
  const entries = await firstPage(service.journal.list({ ...of, action: CHANGES[kind], limit: 50 }));
  return entries.find(({ after }) => !(kind === 'group' || kind === 'permission') || after?.[kind] === id);
}

/** The items of the first page of a list. */
export async function firstPage<Item>(list: {
  pages(): AsyncGenerator<{ items: Item[] }, void, undefined>;
}): Promise<Item[]> {
  const { value } = await list.pages().next();
  return value?.items ?? [];
}
