import { Injectable } from '@nestjs/common';
import { HAS_MORE } from '../answers/record-headers';
import type { Actor } from '../contract/journal';
import type { Turn } from '../database/caller-turns';
import { FeedCursor } from './feed-cursor';
import { type FollowRequest, FollowJournalService } from './follow-journal.service';
import { JournalCursor } from './journal-cursor';
import { JournalReader } from './journal-reader';
import type { JournalPosition } from './journal-search';
import type { JournalEntryDto, JournalPageDto } from './dto/journal-page.dto';

type JournalRequest = Omit<FollowRequest, 'after'> & {
  /** The cursor for the next page backwards. */
  cursor?: JournalPosition;
  /** The cursor for the next page forwards. */
  after?: FollowRequest['after'];
  /** Whether to leave out what can be long. */
  brief?: boolean;
};

/** Reads the journal backwards, or forwards for followers. */
@Injectable()
export class ReadJournalService {
  constructor(
    private readonly reader: JournalReader,
    private readonly following: FollowJournalService,
  ) {}

  /**
   * @param turn given back before waiting for entries
   * @param gone aborted when the caller no longer waits for the answer
   * @throws ServiceError `query.invalid` for a position that does not belong to this journal
   */
  async execute(
    { after, brief, ...request }: JournalRequest,
    actor: Actor,
    turn: Turn,
    gone: AbortSignal,
  ): Promise<JournalPageDto & { [HAS_MORE]?: boolean }> {
    if (after !== undefined) {
      const { entries, position, more } = await this.following.execute({ ...request, after }, actor, turn, gone);
      return { entries: told(entries, brief), next: FeedCursor.write(position), [HAS_MORE]: more };
    }
    const { entries, next } = await this.reader.page(request, request.limit, request.cursor);
    return { entries: told(entries, brief), next: next ? JournalCursor.write(next) : null };
  }
}

/** For a caller that needs to know who is active, and not what a user had. A page ends where it does with everything. */
function told(entries: JournalEntryDto[], brief = false): JournalEntryDto[] {
  if (!brief) return entries;
  return entries.map(({ before, after, ...entry }) => ({
    ...entry,
    workspaces: [],
    before: shortFacts(before),
    after: shortFacts(after),
  }));
}

function shortFacts(facts: JournalEntryDto['before']): JournalEntryDto['before'] {
  if (facts === null) return null;
  const short = Object.entries(facts).filter(([name]) => name === 'status' || name === 'type');
  return Object.fromEntries(short) as JournalEntryDto['before'];
}
