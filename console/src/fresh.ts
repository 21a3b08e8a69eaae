import type { JournalEntry } from '@user-administration/client';
import { directoryChanged } from './directory-version.ts';
import { follow } from './history/follow.ts';
import { listOf, textOf } from './history/facts.ts';
import type { NamedKind } from './names.ts';
import { service } from './service.ts';
import { isSignedOut } from './service-errors.ts';
import { Store } from './ui/store.ts';

/** What others have changed a moment ago, such as `user ada`: the page marks it. */
const freshIds = new Store<ReadonlySet<string>>(new Set());
/** Tells the class of a record of this kind, by its id. */
export function useFresh(kind: NamedKind): (id: string) => 'fresh' | undefined {
  const ids = freshIds.use();
  return (id) => (ids.has(`${kind} ${id}`) ? 'fresh' : undefined);
}

/** The service does not answer. */
export const isAway = new Store(false);

const MARKED_MS = 8_000;
/** Changes that come together are loaded together. */
const PAUSE_MS = 400;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Follows the journal as long as somebody is signed in: records and lists are loaded again when something has changed. */
export async function stayFresh(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const now = await service.journal.now({ signal, retries: 0 });
      found();
      await follow({}, now, { arrived: (entries) => entries.length > 0 && mark(entries), live }, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!isSignedOut(error)) live(false);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * 5));
    }
  }
}

function live(isLive: boolean): void {
  if (isLive) found();
  else isAway.set(true);
}

/** The service answers again: what failed meanwhile is loaded. */
function found(): void {
  if (!isAway.get()) return;
  isAway.set(false);
  directoryChanged();
}

function mark(entries: readonly JournalEntry[]): void {
  const ids = new Set(freshIds.get());
  for (const { user, workspaces, before, after } of entries) {
    if (user !== null) ids.add(`user ${user}`);
    for (const id of workspaces) ids.add(`workspace ${id}`);
    for (const facts of [before ?? {}, after ?? {}]) {
      for (const id of listOf(facts, 'groups')) ids.add(`group ${id}`);
      for (const kind of ['group', 'permission']) ids.add(`${kind} ${textOf(facts, kind)}`);
    }
  }
  freshIds.set(ids);
  clearTimeout(timer);
  timer = setTimeout(load, PAUSE_MS);
}

function load(): void {
  // What somebody fills in is not drawn anew.
  if (document.querySelector('dialog[open]')) {
    timer = setTimeout(load, PAUSE_MS);
    return;
  }
  directoryChanged();
  const marked = freshIds.get();
  setTimeout(() => freshIds.get() === marked && freshIds.set(new Set()), MARKED_MS);
}
