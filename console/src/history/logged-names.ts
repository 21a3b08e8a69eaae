import { useEffect } from 'preact/hooks';
import type { JournalEntry } from '@user-administration/client';
import type { NamedKind } from '../names.ts';
import { service } from '../service.ts';
import { Store } from '../ui/store.ts';
import { after, before, textOf } from './facts.ts';

type Logged = NamedKind | 'connection' | 'webhook';
type Action = JournalEntry['action'];

/** Where the log names what may be gone. One request for each list. */
const SOURCES: readonly (readonly Action[])[] = [
  ['workspace.deleted', 'group.deleted'],
  ['user.deleted'],
  ['scim_connection.created', 'scim_connection.updated', 'scim_connection.deleted'],
  ['webhook.created', 'webhook.updated', 'webhook.deleted'],
];
const SOURCE_OF: Readonly<Record<Logged, number>> = {
  workspace: 0,
  group: 0,
  permission: 0,
  user: 1,
  connection: 2,
  webhook: 3,
};
const LOOKED_AT = 200;

const names = new Store<ReadonlyMap<string, string>>(new Map());
const asked = new Set<string>();
const wanted = new Set<number>();

/** The name that a record had when it was deleted; the newest one of a connection, and the address of a webhook. */
export function useLoggedName(kind: Logged, id: string, isWanted: boolean): string | undefined {
  const key = `${kind} ${id}`;
  const name = names.usePart((all) => all.get(key), key);
  useEffect(() => {
    if (!isWanted || asked.has(key) || kind === 'permission') return;
    asked.add(key);
    if (wanted.size === 0) queueMicrotask(ask);
    wanted.add(SOURCE_OF[kind]);
  }, [key, isWanted]);
  return name;
}

/** The same for plain text, as far as it is known. */
export const loggedName = (kind: Logged, id: string): string | undefined => names.get().get(`${kind} ${id}`);

function ask(): void {
  for (const source of wanted) void read(SOURCES[source] ?? []);
  wanted.clear();
}

async function read(action: readonly Action[]): Promise<void> {
  try {
    const { value } = await service.journal
      .list({ action: [...action], limit: LOOKED_AT })
      .pages()
      .next();
    const all = new Map(names.get());
    // The newest comes last, and stays.
    for (const entry of value?.items.toReversed() ?? []) {
      const [key, name] = namedBy(entry);
      if (name) all.set(key, name);
    }
    names.set(all);
  } catch {
    asked.clear();
    // The ids stand where the names would; the page's own requests report what is wrong.
  }
}

function namedBy(entry: JournalEntry): [string, string | undefined] {
  const fact = (name: string) => textOf(after(entry), name) ?? textOf(before(entry), name);
  const [kind = ''] = entry.action.split('.');
  if (kind === 'user') return [`user ${entry.user}`, fact('displayName')];
  if (kind === 'workspace') return [`workspace ${entry.workspaces[0]}`, fact('name')];
  if (kind === 'webhook') return [`webhook ${fact('webhook')}`, fact('url')];
  return kind === 'group'
    ? [`group ${fact('group')}`, fact('name')]
    : [`connection ${fact('connection')}`, fact('name')];
}
