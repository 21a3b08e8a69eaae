import { Injectable } from '@nestjs/common';
import type { Attribution } from '../contract/attribution';
import type { FeedPosition } from './feed-cursor';
import { type FeedPage, pageOf } from './feed-page';
import { FeedReader } from './feed-reader';
import { FeedWatch } from './feed-watch';
import type { JournalFilter } from './journal-search';

/**
 * Looks of one request. While there is more, each look has at least four changes to tell, so without filters a page is full
 * before this ends. With filters that match next to nothing, a follower that is far behind goes on with `next`.
 */
const MAX_LOOKS = 50;

/** What a follower asks for. */
export interface FollowRequest extends JournalFilter {
  after: FeedPosition | 'now';
  limit: number;
  /** How long to wait for the first entry, in seconds. */
  wait: number;
}

/** Tells the journal forwards, in an order in which no entry can turn up behind the position, however long its transaction took. */
@Injectable()
export class FollowJournalService {
  constructor(
    private readonly reader: FeedReader,
    private readonly watch: FeedWatch,
  ) {}

  /**
   * @param gone aborted when the caller no longer waits for the answer
   * @throws ServiceError `query.invalid` for a position that is not one of this journal
   */
  async execute(request: FollowRequest, { actor }: Attribution, gone: AbortSignal): Promise<FeedPage> {
    const { after, limit, wait, ...filter } = request;
    const deadline = performance.now() + wait * 1_000;
    const found = after === 'now' ? await this.present() : await this.lookAhead(after, filter, limit);
    if (found.entries.length > 0 || found.more || wait === 0) return found;
    return this.watch.wait({ actor, filter, limit, position: found.position, deadline }, gone);
  }

  private async present(): Promise<FeedPage & { more: boolean }> {
    return { entries: [], position: await this.reader.present(), more: false };
  }

  private async lookAhead(
    start: FeedPosition,
    filter: JournalFilter,
    limit: number,
  ): Promise<FeedPage & { more: boolean }> {
    const entries: FeedPage['entries'] = [];
    let position = start;
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      const { changes, more } = await this.reader.look(position);
      const page = pageOf(changes, position, filter, limit - entries.length);
      entries.push(...page.entries);
      ({ position } = page);
      if (!more || entries.length === limit) return { entries, position, more };
    }
    return { entries, position, more: true };
  }
}
