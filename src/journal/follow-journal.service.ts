import { Injectable } from '@nestjs/common';
import { PageRoom } from '../answers/page-room';
import type { Actor } from '../contract/journal';
import type { Turn } from '../database/caller-turns';
import type { FeedPosition } from './feed-cursor';
import { type FeedPage, pageOf } from './feed-page';
import { FeedReader } from './feed-reader';
import { FeedWatch } from './feed-watch';
import type { JournalFilter } from './journal-search';

/**
 * The maximum number of polls in one request. While more changes follow, each poll returns nearly 200 or fills the page, so
 * without filters a page is full after two or three. With very selective filters, a follower that is far behind continues
 * with `next`. So it does after a poll that returned as many bytes as a page may have.
 */
const MAX_LOOKS = 32;

/** The request of a follower. */
export interface FollowRequest extends JournalFilter {
  after: FeedPosition | 'now';
  limit: number;
  /** How long to wait for the first entry, in seconds. */
  wait: number;
}

/** Reads the journal forwards, in an order in which no entry can appear behind the position, however long its transaction took. */
@Injectable()
export class FollowJournalService {
  constructor(
    private readonly reader: FeedReader,
    private readonly watch: FeedWatch,
  ) {}

  /**
   * @param turn given back before waiting for entries
   * @param gone aborted when the caller no longer waits for the answer
   * @throws ServiceError `query.invalid` for a position that does not belong to this journal
   */
  async execute(request: FollowRequest, actor: Actor, turn: Turn, gone: AbortSignal): Promise<FeedPage> {
    const { after, limit, wait, ...filter } = request;
    const deadline = performance.now() + wait * 1_000;
    const found =
      after === 'now'
        ? { entries: [], position: await this.reader.present(), more: false }
        : await this.lookAhead(after, filter, limit);
    if (found.entries.length > 0 || found.more || wait === 0) return found;
    turn.giveBack();
    return this.watch.wait({ actor, filter, limit, position: found.position, deadline }, gone);
  }

  private async lookAhead(start: FeedPosition, filter: JournalFilter, limit: number): Promise<FeedPage> {
    const entries: FeedPage['entries'] = [];
    const room = new PageRoom(limit);
    let position = start;
    const isUnfiltered = Object.values(filter).every((wanted) => wanted === undefined);
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      const most = isUnfiltered ? room.left : undefined;
      const { changes, more, isLarge } = await this.reader.look(position, { most, actions: filter.action });
      const page = pageOf(changes, position, filter, room);
      entries.push(...page.entries);
      ({ position } = page);
      if (!more || page.more || isLarge || room.isFull) return { entries, position, more: more || page.more };
    }
    return { entries, position, more: true };
  }
}
