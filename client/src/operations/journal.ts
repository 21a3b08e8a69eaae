import type { CallOptions, PostOptions } from '../client-options.ts';
import { namesOf } from '../calls/known-names.ts';
import { bodyOf, type Service } from '../calls/service.ts';
import type {
  JournalAction,
  JournalEntryDto,
  ReadJournalData,
  UndoAnswerDto,
  UndoDto,
} from '../generated/types.gen.ts';
import type { StatesOf } from '../webhooks/event-facts.ts';
import type { JournalFacts } from './journal-facts.ts';
import { Following, type FollowedPage, type UnsealedStatuses } from './following.ts';
import { UserAdministrationError } from '../user-administration-error.ts';
import { pageOf, type Pages, pagesOf, unexpected } from './pages.ts';

interface EntryOf<Action extends JournalAction> extends Omit<JournalEntryDto, 'action' | 'before' | 'after'> {
  action: Action;
  /** The state before the change; null if there was none. */
  before: Facts<StatesOf<JournalFacts, Action>['before']>;
  /** The state after the change; null if there is none. */
  after: Facts<StatesOf<JournalFacts, Action>['after']>;
}

/** Without a comparison of `action`, each field is unknown. */
type Facts<State> = State extends null ? null : State & Record<string, unknown>;

/**
 * One entry of the journal: what changed, who changed it, and why. Comparing `action` narrows the types of `before` and `after`. With `brief`,
 * they have `status`, `type` and `id` alone, and after an erasure no email and no display name.
 *
 * @example if (entry.action === 'user.status.changed') console.log(entry.after.status);
 */
export type JournalEntry<Action extends JournalAction = JournalAction> = {
  [One in Action]: EntryOf<One>;
}[Action];

/** The filters and the page size of the journal. An entry must match all filters. */
export interface JournalFilter extends Omit<NonNullable<ReadJournalData['query']>, 'after' | 'wait' | 'action'> {
  /** Only this action, or only these. */
  action?: JournalAction | readonly JournalAction[];
}

/** The filters of the entries to follow, and where to start. */
export interface FollowFilter extends Omit<JournalFilter, 'cursor'> {
  /** The cursor to start after, or `now`. Default: `now`. */
  after?: string;
  /** Seconds that the service waits for an entry before it answers: 0 to 25. Default: 20 for `follow`, 0 for `after`. */
  wait?: number;
}

/** Options of undoing a request. */
export interface UndoOptions extends PostOptions {
  /** Returns what would change, and changes nothing. */
  dryRun?: boolean;
  /** Returns what has changed. */
  representation?: boolean;
}

const FILTERS = namesOf<JournalFilter>({
  user: true,
  workspace: true,
  actor: true,
  action: true,
  from: true,
  to: true,
  brief: true,
  statuses: true,
  limit: true,
  cursor: true,
});
const FOLLOW_FILTERS = [...FILTERS.filter((name) => name !== 'cursor'), 'after', 'wait'];

/** How long an answer may take in addition to `wait`. */
const GRACE_MS = 10_000;

/** The journal of all changes. */
export class Journal {
  constructor(private readonly service: Service) {}

  /** Lists the entries page by page, newest first. */
  list(filter: JournalFilter = {}, options?: CallOptions): Pages<JournalEntry> {
    return pagesOf(this.service, { path: '/api/journal', query: { ...filter }, filters: FILTERS }, 'entries', options);
  }

  /**
   * Undoes what the request of this entry did, where nobody came after.
   *
   * @throws UserAdministrationError such as `journal.unknown` or `journal.not_undoable`
   */
  undo(id: string, body: UndoDto = {}, options: UndoOptions = {}): Promise<UndoAnswerDto> {
    const { dryRun, representation } = options;
    return this.service.ask(
      {
        method: 'POST',
        path: '/api/journal/{id}/undo',
        params: { id },
        query: { dryRun: dryRun ? true : undefined },
        body,
        headers: { prefer: representation ? 'return=representation' : undefined },
        changesNothing: dryRun,
        options: ['representation', 'dryRun'],
      },
      options,
    );
  }

  /** Returns the cursor of the present, for `follow` and `after`. */
  async now(options?: CallOptions): Promise<string> {
    return (await this.after({ after: 'now', wait: 0, limit: 1 }, options)).next;
  }

  /**
   * Returns the entries after a cursor, oldest first. No entry can later appear before a cursor that was returned, so reading on misses none.
   * Answers at once unless `wait` is given.
   */
  async after(
    filter: FollowFilter & { after: string },
    options: CallOptions = {},
  ): Promise<FollowedPage<JournalEntry>> {
    const { wait = 0 } = filter;
    const longer = wait > 0 ? wait * 1_000 + GRACE_MS : undefined;
    const { timeoutMs = longer, deadlineMs = longer && longer * 2 } = options;
    const answer = await this.service.call(
      { method: 'GET', path: '/api/journal', query: { ...filter, wait }, filters: FOLLOW_FILTERS },
      { ...options, timeoutMs, deadlineMs },
    );
    const body = bodyOf(answer);
    const { items, next } = pageOf<JournalEntry>(body, 'entries');
    const statuses = filter.statuses ? statusesOf(body) : undefined;
    if (next !== null) return { entries: items, next, more: hasNext(answer.headers), ...(statuses && { statuses }) };
    const detail = 'The answer has no cursor: this version of the service does not support following the journal.';
    throw new UserAdministrationError({ code: 'client.unexpected_answer', detail });
  }

  /**
   * Follows the journal without end, and continues after an outage.
   *
   * @example for await (const entry of client.journal.follow({ action: 'user.status.changed' })) console.log(entry.user);
   */
  follow(filter: FollowFilter = {}, options: CallOptions = {}): Following<JournalEntry> {
    const { after: start = 'now', wait = 20, ...rest } = filter;
    return new Following(
      (after, seconds, signal) => this.after({ ...rest, after, wait: seconds }, { ...options, signal, retries: 0 }),
      { after: start, wait, signal: options.signal },
    );
  }
}

function statusesOf(body: object): UnsealedStatuses {
  const { active, inactive } = ((body as { statuses?: unknown }).statuses ?? {}) as Record<string, unknown>;
  if (isIds(active) && isIds(inactive)) return { active, inactive };
  throw unexpected('it has no "statuses"');
}

const isIds = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((id) => typeof id === 'string');

/** The service links to the next page (RFC 8288) as long as more can be read at once. */
function hasNext(headers: Headers): boolean {
  return /;\s*rel="?next\b/i.test(headers.get('link') ?? '');
}
