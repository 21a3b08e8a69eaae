import { Injectable } from '@nestjs/common';
import type { JournalEntry } from '../contract/journal';
import { type Proof, ReplicaReads } from '../database/replica-reads';
import { type ChangeRow, toEntry } from './change-row';
import { type JournalFilter, type JournalPosition, searchFor } from './journal-search';

interface FoundRow extends ChangeRow {
  moment: string;
  id: string;
  /** The position of the first of `user_ids` in the change. */
  first: number;
  /** Null for a change without a user, which has one entry. */
  user_ids: (string | null)[];
}

/** Reads the journal page by page, newest first; replicas may lag by a few moments. */
@Injectable()
export class JournalReader {
  constructor(private readonly reads: ReplicaReads) {}

  /**
   * The newest entries that are older than a position. Entries that arrive meanwhile are newer than any page already
   * read, so no later page repeats or skips an entry.
   *
   * @returns the entries, and the next position if there are more
   */
  async page(
    filter: JournalFilter,
    limit: number,
    olderThan?: JournalPosition,
  ): Promise<{ entries: JournalEntry[]; next?: JournalPosition }> {
    const { statement, parameters } = searchFor(filter, limit + 1, olderThan);
    const rows = decidesOnUsers(filter)
      ? await this.reads.current<FoundRow>(statement, parameters)
      : await this.reads.query<FoundRow>(statement, parameters, olderThan && proofOf(olderThan));
    const found = rows.flatMap(newestFirst);
    const page = found.slice(0, limit);
    return { entries: page.map(({ entry }) => entry), next: found.length > limit ? page.at(-1)?.position : undefined };
  }
}

/**
 * The guard of the client loads the deleted users by this filter, after it has taken the cursor from which it follows. A replica that lags
 * behind the cursor would hide a deletion from it for ever.
 */
function decidesOnUsers({ action }: JournalFilter): boolean {
  return action === 'user.deleted';
}

/** A replica that lacks the entry at the end of the previous page would skip the entries in between. */
function proofOf({ moment }: JournalPosition): Proof {
  return { statement: 'SELECT moment FROM journal_changes WHERE moment = $1', parameters: [moment] };
}

function newestFirst(change: FoundRow): { entry: JournalEntry; position: JournalPosition }[] {
  const { moment, first } = change;
  return change.user_ids
    .map((user, index) => ({
      entry: toEntry(change, String(BigInt(change.id) + BigInt(first + index - 1)), user),
      position: { moment, position: first + index },
    }))
    .reverse();
}
