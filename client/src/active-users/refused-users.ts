import type { JournalEntry } from '../operations/journal.ts';

/** Nothing else in the journal says whether a user is active: a status token, for one, names a status that nobody has yet. */
type Said = 'refused' | 'admitted' | undefined;

/** The users who must not be let in: the inactive and the deleted. */
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

  /** Takes in what the journal tells, in its order. */
  apply(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      const said = entry.user === null ? undefined : whatIsSaid(entry);
      if (said === 'refused') this.ids.add(entry.user as string);
      if (said === 'admitted') this.ids.delete(entry.user as string);
    }
  }
}

function whatIsSaid({ action, after }: JournalEntry): Said {
  switch (action as string) {
    case 'user.deleted':
      return 'refused';
    case 'user.status.changed':
      return ofStatus(after?.status);
    case 'user.created':
      return ofStatus(after?.status ?? 'active');
    default:
      return undefined;
  }
}

function ofStatus(status: unknown): Said {
  return status === 'active' ? 'admitted' : status === 'inactive' ? 'refused' : undefined;
}
