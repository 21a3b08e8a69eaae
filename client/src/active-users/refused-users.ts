import type { JournalEntry } from '../operations/journal.ts';

type Effect = 'refused' | 'admitted' | undefined;

/** The users that must be refused: the inactive and the deleted. */
export class RefusedUsers {
  private readonly ids = new Set<string>();

  get size(): number {
    return this.ids.size;
  }

  has(id: string): boolean {
    return this.ids.has(id);
  }

  add(id: string): void {
    this.ids.add(id);
  }

  /** Applies entries of the journal, in its order. */
  apply(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      const effect = entry.user === null ? undefined : effectOf(entry);
      if (effect === 'refused') this.ids.add(entry.user as string);
      if (effect === 'admitted') this.ids.delete(entry.user as string);
    }
  }
}

/** Only these actions decide whether a user is active. */
export const DECISIVE_ACTIONS = ['user.created', 'user.deleted', 'user.status.changed'] as const;

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
