import type { NewEntry } from './new-entry';

/** A change as `journal_append_changes` takes it: the action, and the users that it affected. */
interface NewChange {
  action: string;
  user_ids: string[];
  workspace_ids: readonly string[];
  before?: object;
  after?: object;
}

/** Consecutive entries of one action, in which no user appears twice. */
interface Run {
  action: string;
  users: Set<string>;
  /** Groups them by workspaces, before and after. */
  changes: Map<string, NewChange>;
}

/**
 * Merges entries with the same facts about different users into one change. Only consecutive entries are merged, so the
 * entries of each user keep their order.
 */
export function mergeEntries(entries: readonly NewEntry[]): NewChange[] {
  const runs: Run[] = [];
  for (const { action, user, workspaces = [], before, after } of entries) {
    let run = runs.at(-1);
    if (run?.action !== action || user === undefined || run.users.size === 0 || run.users.has(user)) {
      run = { action, users: new Set(), changes: new Map() };
      runs.push(run);
    }
    const facts = JSON.stringify([workspaces, before, after]);
    const change = run.changes.get(facts) ?? { action, user_ids: [], workspace_ids: workspaces, before, after };
    run.changes.set(facts, change);
    if (user === undefined) continue;
    change.user_ids.push(user);
    run.users.add(user);
  }
  return runs.flatMap(({ changes }) => [...changes.values()]);
}
