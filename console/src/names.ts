import { useEffect } from 'preact/hooks';
import { service } from './service.ts';
import { Store } from './ui/store.ts';

export type NamedKind = 'user' | 'workspace' | 'group' | 'permission';

/** What the page shows of a record of which it knows the id alone; null: there is none with this id (any more). */
export type Name = { label: string; workspace?: string; email?: string | null } | null;

const known = new Store<ReadonlyMap<string, Name>>(new Map());
const wanted = new Map<NamedKind, Set<string>>();
/** The keys of those whose names are on the way. */
const asked = new Set<string>();
/** Of `id` in one request. */
const AT_ONCE = 100;

/** What a record has for a name. */
interface Nameable {
  id: string;
  name?: string;
  displayName?: string | null;
  email?: string | null;
}

/** What people call a record. */
export const nameOf = ({ id, name, displayName }: Nameable): string => name ?? (displayName || id);

/** Records that a list has just shown need not be asked for. */
export function learnNames(kind: NamedKind, records: readonly (Nameable & { workspace?: string })[]): void {
  if (records.length === 0) return;
  const names = new Map(known.get());
  for (const record of records)
    names.set(keyOf(kind, record.id), { label: nameOf(record), workspace: record.workspace, email: record.email });
  known.set(names);
}

/** The name of a record; undefined until it is known. All that one picture of the page wants is one request for each kind. */
export function useName(kind: NamedKind, id: string): Name | undefined {
  const key = keyOf(kind, id);
  const name = known.usePart((names) => names.get(key), key);
  useEffect(() => {
    if (known.get().has(key) || asked.has(key) || kind === 'permission') return;
    if (wanted.size === 0) queueMicrotask(askForNames);
    wanted.set(kind, (wanted.get(kind) ?? new Set()).add(id));
  }, [kind, id, key]);
  return kind === 'permission' ? { label: id } : name;
}

/** The label of a record for plain text: its id, as long as its name is not known. */
export const labelOf = (kind: NamedKind, id: string): string => known.get().get(keyOf(kind, id))?.label ?? id;

/** The email address of a person whose name is known. */
export const emailOf = (id: string): string | null | undefined => known.get().get(keyOf('user', id))?.email;

/** Asks for the names that are not known yet. */
export async function loadNames(kind: NamedKind, ids: readonly string[]): Promise<void> {
  const unknown = [...new Set(ids)].filter((id) => !known.get().has(keyOf(kind, id)));
  for (let from = 0; from < unknown.length; from += AT_ONCE) await askFor(kind, unknown.slice(from, from + AT_ONCE));
}

/** The workspace of a group whose name is known. */
export const workspaceOf = (group: string): string | undefined => known.get().get(keyOf('group', group))?.workspace;

const keyOf = (kind: NamedKind, id: string): string => `${kind} ${id}`;

function askForNames(): void {
  for (const [kind, ids] of wanted) {
    const all = [...ids];
    for (let from = 0; from < all.length; from += AT_ONCE) void askFor(kind, all.slice(from, from + AT_ONCE));
  }
  wanted.clear();
}

async function askFor(kind: NamedKind, ids: string[]): Promise<void> {
  for (const id of ids) asked.add(keyOf(kind, id));
  try {
    const records = await listOf(kind, ids);
    const found = new Set(records.map(({ id }) => id));
    const names = new Map(known.get());
    for (const id of ids) if (!found.has(id)) names.set(keyOf(kind, id), null);
    known.set(names);
    learnNames(kind, records);
  } catch {
    // The ids stand where the names would; the page's own requests report what is wrong.
  } finally {
    for (const id of ids) asked.delete(keyOf(kind, id));
  }
}

function listOf(kind: NamedKind, id: string[]): Promise<{ id: string }[]> {
  const filter = { id, limit: AT_ONCE };
  if (kind === 'user') return service.users.list(filter).all();
  return kind === 'group' ? service.groups.list(filter).all() : service.workspaces.list(filter).all();
}
