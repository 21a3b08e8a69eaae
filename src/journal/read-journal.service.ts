import { Injectable } from '@nestjs/common';
import { HAS_MORE } from '../answers/record-headers';
import type { Actor } from '../contract/journal';
import type { Slot } from '../database/connection-slots';
import type { JournalPageDto } from './dto/journal-page.dto';
import { FollowerCursor } from './follower-cursor';
import type { JournalFilter } from './journal-filter';
import { JournalReader } from './journal-reader';
import type { Span } from './journal-search';
import type { Head } from './seal-journal';
import { Sealer } from './sealer';
import { type FollowedPage, WaitingFollowers } from './waiting-followers';

export interface JournalRequest extends JournalFilter {
  limit: number;
  /** The next page backwards is that before this entry. */
  cursor?: number;
  /** Reads forwards, after this. */
  after?: FollowerCursor | 'now' | 'start';
  /** How long to wait for the first entry, in seconds. */
  wait: number;
  /** Whether to leave out what can be long. */
  brief?: boolean;
}

/** Reads the journal backwards, or forwards for followers. It has everything that was committed before. */
@Injectable()
export class ReadJournalService {
  constructor(
    private readonly reader: JournalReader,
    private readonly sealer: Sealer,
    private readonly followers: WaitingFollowers,
  ) {}

  /**
   * @param slot released before waiting for entries
   * @param gone aborted when the caller no longer waits for the answer
   * @throws ServiceError `journal.other`, `journal.pruned`
   */
  async execute(
    { after, cursor, limit, wait, brief = false, ...filter }: JournalRequest,
    actor: Actor,
    slot: Slot,
    gone: AbortSignal,
  ): Promise<JournalPageDto & { [HAS_MORE]?: boolean }> {
    const head = await this.sealer.seal();
    if (after === undefined) {
      const until = cursor === undefined ? head.position : Math.min(head.position, cursor - 1);
      const { entries, end } = await this.reader.page(filter, { after: 0, until }, limit, false, brief);
      return { entries, next: end === undefined ? null : String(end) };
    }
    const page = await this.reader.page(filter, await this.spanOf(after, head), limit, true, brief);
    const present = FollowerCursor.of(head);
    const waits = wait > 0 && page.entries.length === 0 && page.end === undefined ? [present] : [];
    let found: FollowedPage = { entries: page.entries, end: page.end ?? head.position, bound: present };
    for (const cursor of waits) {
      slot.release();
      found = await this.followers.wait({ actor, filter, limit, brief, cursor, waitMs: wait * 1_000 }, gone);
    }
    const next = await this.reader.cursorAt(found.end, found.bound, ...waits);
    return { entries: found.entries, next: String(next), [HAS_MORE]: found.end < this.sealer.head.position };
  }

  private async spanOf(after: NonNullable<JournalRequest['after']>, head: Head): Promise<Span> {
    if (after === 'now') return { after: head.position, until: head.position };
    return after === 'start' ? { after: head.pruned, until: head.position } : this.reader.spanAfter(after, head);
  }
}
