import type { JournalEntry } from '../operations/journal.ts';
import type { UnsealedStatuses } from '../operations/following.ts';
import { unexpected } from '../operations/pages.ts';

type Effect = 'refused' | 'admitted' | undefined;

/** The ids of users that must be refused: of the inactive, the deleted, and those who have another id now. */
export class RefusedUsers {
  private readonly ids = new Set<string>();
  /** Whether users are refused, as far as known before their entries are sealed. */
  private ahead = new Map<string, boolean>();

  get size(): number {
    return this.ids.size;
  }

  has(id: string): boolean {
    return this.ahead.get(id) ?? this.ids.has(id);
  }

  add(id: string): void {
    this.ids.add(id);
  }

  /**
   * Applies entries of the journal, in its order.
   *
   * @throws UserAdministrationError `client.unexpected_answer`
   */
  apply(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      const effect = effectOf(entry);
      if (effect === 'refused') this.ids.add(userOf(entry));
      if (effect === 'admitted') this.ids.delete(userOf(entry));
      if ((entry.action as string) === 'user.renamed') this.rename(userOf(entry), entry.after?.id);
    }
  }

  /** Replaces what was known before the journal told it. */
  foresee({ active, inactive }: UnsealedStatuses): void {
    this.ahead = new Map([...active.map((id) => [id, false] as const), ...inactive.map((id) => [id, true] as const)]);
  }

  /** Who gets an id is refused as before, whoever had the id. */
  private rename(before: string, after: unknown): void {
    if (typeof after !== 'string') throw unexpected('an entry about a renaming does not name the new id');
    if (this.ids.has(before)) this.ids.add(after);
    else this.ids.delete(after);
    this.ids.add(before);
  }
}

/** @throws UserAdministrationError `client.unexpected_answer` if the entry does not name the user */
export function userOf({ user }: JournalEntry): string {
  if (typeof user === 'string') return user;
  throw unexpected('an entry about a user does not name the user');
}

/** Only these actions decide whether a user is active. */
export const DECISIVE_ACTIONS = ['user.created', 'user.deleted', 'user.renamed', 'user.status.changed'] as const;

/**
 * The effect of an entry. Other entries can contain a status as well: the entry of a new status token names
 * a status that has not been set yet.
 */
function effectOf({ action, after }: JournalEntry): Effect {
  switch (action as string) {
    case 'user.deleted':
      return 'refused';
    case 'user.status.changed':
      return effectOfStatus(after?.status);
    case 'user.created':
      return effectOfStatus(after?.status ?? 'active');
    default:
      return undefined;
  }
}

function effectOfStatus(status: unknown): Effect {
  return status === 'active' ? 'admitted' : status === 'inactive' ? 'refused' : undefined;
}
