import { Injectable } from '@nestjs/common';
import type { JournalEntry } from '../contract/journal';
import { ReplicaReads } from '../database/replica-reads';
import { type ChangeRow, toEntry } from './change-row';
import { type FeedPosition, reaches } from './feed-cursor';
import { type JournalFilter, type JournalPosition, type JournalSearch, searchFor } from './journal-search';
import { ReplicaFloor } from './replica-floor';

interface FoundRow extends ChangeRow {
  moment: string;
  id: string;
  /** The position of the first of `user_ids` in the change. */
  first: number;
  /** Null for a change without a user, which has one entry. */
  user_ids: (string | null)[];
}

/** The first row also has the state of the journal. If nothing was found, it has nothing else. */
interface Row extends Omit<FoundRow, 'moment'> {
  moment: string | null;
  chains: number[] | null;
  numbers: string[] | null;
}

/** Reads the journal page by page, newest first; replicas may lag by up to five seconds. */
@Injectable()
export class JournalReader {
  private readonly floor: ReplicaFloor;

  constructor(private readonly reads: ReplicaReads) {
    this.floor = new ReplicaFloor(reads.reserved);
  }

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
    const search = searchFor(filter, limit + 1, olderThan);
    const mayLag = this.reads.hasReplicas && !olderThan && !decidesOnUsers(filter);
    const found = (await (mayLag ? this.readAnywhere(search) : this.readCurrent(search))).flatMap(newestFirst);
    const page = found.slice(0, limit);
    return { entries: page.map(({ entry }) => entry), next: found.length > limit ? page.at(-1)?.position : undefined };
  }

  private readCurrent({ statement, parameters }: JournalSearch): Promise<FoundRow[]> {
    return this.reads.current(statement, parameters);
  }

  /**
   * Only for a first page. On a later one, a replica could lack entries that the server of the previous page had: an entry with an
   * earlier moment can be committed after the one at the end of that page.
   */
  private async readAnywhere({ statement, parameters }: JournalSearch): Promise<FoundRow[]> {
    const required = await this.floor.position();
    const isRecent = (rows: Row[]) => reaches(stateIn(rows), required);
    const rows = await this.reads.query<Row>(withState(statement), parameters, isRecent);
    return rows.filter((row): row is Row & FoundRow => row.moment !== null);
  }
}

/**
 * The guard of the client loads the deleted users by this filter, after it has read the cursor from which it follows. A replica
 * that lags behind that cursor would hide a deletion forever.
 */
function decidesOnUsers({ action }: JournalFilter): boolean {
  return action?.includes('user.deleted') ?? false;
}

/** The rows of a search, and the state of the journal in the same snapshot. */
function withState(search: string): string {
  return `
    SELECT chains, numbers, found.* FROM (
      SELECT 1 AS place, array_agg(chain) AS chains, array_agg(number) AS numbers FROM journal_heads WHERE number > 0
    ) AS state
    FULL JOIN (
      SELECT row_number() OVER (ORDER BY moment DESC, first DESC) AS place, found.* FROM (${search}) AS found
    ) AS found USING (place)
    ORDER BY place`;
}

function stateIn([first]: Row[]): FeedPosition {
  return { delivered: new Map(first?.chains?.map((chain, index) => [chain, BigInt(first.numbers?.[index] ?? 0)])) };
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
