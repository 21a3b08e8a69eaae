import { Injectable } from '@nestjs/common';
import { ReplicaReads } from '../database/replica-reads';
import { type ChangeRow, toEntry } from './change-row';
import { type JournalFilter, type JournalPosition, type JournalSearch, searchFor } from './journal-search';
import { type ChainHead, ReplicaFloor } from './replica-floor';
import type { JournalEntryDto } from './dto/journal-page.dto';

interface FoundRow extends ChangeRow {
  moment: string;
  id: string;
  /** The position of the first of `user_ids` in the change. */
  first: number;
  /** Null for a change without a user, which has one entry. */
  user_ids: (string | null)[];
}

/** The first row also tells whether the server is recent enough. If nothing was found, it has nothing else. */
interface Row extends Omit<FoundRow, 'moment'> {
  moment: string | null;
  is_recent: boolean | null;
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
  ): Promise<{ entries: JournalEntryDto[]; next?: JournalPosition }> {
    const search = searchFor(filter, limit + 1, olderThan);
    const mayLag = this.reads.hasReplicas && !olderThan && !decidesOnUsers(filter);
    const rows = mayLag ? this.readAnywhere(search) : this.reads.current<FoundRow>(search.statement, search.parameters);
    const found = (await rows).flatMap(newestFirst);
    const page = found.slice(0, limit);
    return { entries: page.map(({ entry }) => entry), next: found.length > limit ? page.at(-1)?.position : undefined };
  }

  /**
   * Only for a first page. On a later one, a replica could lack entries that the server of the previous page had: an entry with an
   * earlier moment can be committed after the one at the end of that page.
   */
  private async readAnywhere(search: JournalSearch): Promise<FoundRow[]> {
    const { statement, parameters } = withFloor(search, await this.floor.heads());
    const rows = await this.reads.query<Row>(statement, parameters, ([first]) => first?.is_recent === true);
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

/**
 * The search, and whether the server has these changes, in the same snapshot. Hashes are compared, because the journal of another
 * directory has changes with the same numbers.
 */
function withFloor({ statement, parameters }: JournalSearch, heads: readonly ChainHead[]): JournalSearch {
  const [chains, numbers, hashes] = [1, 2, 3].map((place) => `$${parameters.length + place}`);
  return {
    statement: `
      SELECT is_recent, found.* FROM (
        SELECT 1 AS place, NOT EXISTS (
          SELECT FROM unnest(${chains}::smallint[], ${numbers}::bigint[], ${hashes}::bytea[]) AS head (chain, number, hash)
          WHERE head.hash IS DISTINCT FROM (
            SELECT hash FROM journal_changes AS change WHERE change.chain = head.chain AND change.number = head.number LIMIT 1
          )
        ) AS is_recent
      ) AS state
      FULL JOIN (
        SELECT row_number() OVER (ORDER BY moment DESC, first DESC) AS place, found.* FROM (${statement}) AS found
      ) AS found USING (place)
      ORDER BY place`,
    parameters: [
      ...parameters,
      heads.map(({ chain }) => chain),
      heads.map(({ number }) => number),
      heads.map(({ hash }) => hash),
    ],
  };
}

function newestFirst(change: FoundRow): { entry: JournalEntryDto; position: JournalPosition }[] {
  const { moment, first } = change;
  return change.user_ids
    .map((user, index) => ({
      entry: toEntry(change, String(BigInt(change.id) + BigInt(first + index - 1)), user),
      position: { moment, position: first + index },
    }))
    .reverse();
}
