import type { CallOptions } from '../client-options.ts';
import type { Service } from '../calls/service.ts';
import type { JournalEntryDto, ReadJournalData } from '../generated/types.gen.ts';
import { Following, type FollowedPage } from './following.ts';
import { pageOf, Pages } from './pages.ts';
import { UserAdministrationError } from '../user-administration-error.ts';

/** One entry of the journal: what was done, to whom, by whom. */
export type JournalEntry = JournalEntryDto;

/** Everything given must hold. */
export type JournalFilter = Omit<NonNullable<ReadJournalData['query']>, 'after' | 'wait'>;

export interface FollowFilter extends Omit<JournalFilter, 'cursor'> {
  /** The cursor to go on from, or `now`, the default. */
  after?: string;
  /** How many seconds the service may wait for something to tell: 0 to 25. Default: 20. */
  wait?: number;
}

/** How much longer than `wait` an answer may take. */
const GRACE_MS = 10_000;

export class Journal {
  constructor(private readonly service: Service) {}

  /** What was done, the newest first, page by page. */
  list(filter: JournalFilter = {}, options?: CallOptions): Pages<JournalEntry> {
    const { cursor: first, ...query } = filter;
    return new Pages(async (cursor = first) =>
      pageOf(
        await this.service.ask({ method: 'GET', path: '/api/journal', query: { ...query, cursor } }, options),
        'entries',
      ),
    );
  }

  /** The cursor of the present, for `follow`. */
  async now(options?: CallOptions): Promise<string> {
    return (await this.after({ after: 'now', wait: 0, limit: 1 }, options)).next;
  }

  /** What happened after a cursor, in an order in which nothing can turn up behind it. Answers at once unless `wait` is given. */
  async after(
    filter: FollowFilter & { after: string },
    options: CallOptions = {},
  ): Promise<FollowedPage<JournalEntry>> {
    const { wait = 0 } = filter;
    const longer = wait * 1_000 + GRACE_MS;
    const answer = await this.service.ask<object>(
      { method: 'GET', path: '/api/journal', query: { ...filter, wait } },
      { ...(wait > 0 && { timeoutMs: longer, deadlineMs: longer * 2 }), ...options },
    );
    const { items, next } = pageOf<JournalEntry>(answer, 'entries');
    if (next !== null) return { entries: items, next };
    const detail = 'The answer has no cursor: this service does not know how to be followed.';
    throw new UserAdministrationError({ code: 'client.unexpected_answer', detail });
  }

  /** Follows what happens, for ever. */
  follow(filter: FollowFilter = {}, options: CallOptions = {}): Following<JournalEntry> {
    const { after: start = 'now', wait = 20, ...rest } = filter;
    return new Following(
      (after, seconds, signal) => this.after({ ...rest, after, wait: seconds }, { ...options, signal, retries: 0 }),
      { after: start, wait, signal: options.signal },
    );
  }
}
