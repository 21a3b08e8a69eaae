import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PageRoom } from '../answers/page-room';
import { type ChangeRow, ENTRY_BYTES, toEntry } from './change-row';
import { type JournalFilter, type JournalPosition, searchFor } from './journal-search';
import type { JournalEntryDto } from './dto/journal-page.dto';

interface FoundRow extends ChangeRow {
  moment: string;
  id: string;
  /** The position of the first of `user_ids` in the change. */
  first: number;
  /** Null for a change without a user, which has one entry. */
  user_ids: (string | null)[];
}

/** Reads the journal page by page, newest first. */
@Injectable()
export class JournalReader {
  constructor(private readonly database: DataSource) {}

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
    const { statement, parameters } = searchFor(filter, limit + 1, olderThan);
    const rows = await this.database.query<FoundRow[]>(statement, parameters);
    const found = rows.flatMap(newestFirst);
    const room = new PageRoom(limit);
    const page = found.filter(({ bytes }) => room.take(bytes));
    const next = found.length > page.length ? page.at(-1)?.position : undefined;
    return { entries: page.map(({ entry }) => entry), next };
  }
}

function newestFirst(change: FoundRow): { entry: JournalEntryDto; position: JournalPosition; bytes: number }[] {
  const { moment, first } = change;
  const bytes = change.bytes + ENTRY_BYTES;
  return change.user_ids
    .map((user, index) => ({
      entry: toEntry(change, String(BigInt(change.id) + BigInt(first + index - 1)), user),
      position: { moment, position: first + index },
      bytes,
    }))
    .reverse();
}
