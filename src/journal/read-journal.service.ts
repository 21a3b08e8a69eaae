import { Inject, Injectable } from '@nestjs/common';
import { HAS_MORE } from '../answers/record-headers';
import { ServiceError } from '../contract/errors';
import { type Actor, JOURNAL_ACTIONS } from '../contract/journal';
import { DATABASE_PARTS, type DatabasePart } from '../database/database-part';
import type { Slot } from '@user-administration/postgres';
import type { JournalPageDto } from './dto/journal-page.dto';
import { FollowerCursor } from './follower-cursor';
import type { JournalFilter } from './journal-filter';
import { JournalReader } from './journal-reader';
import type { Span } from './journal-search';
import type { Head } from './seal-journal';
import { Sealer } from './sealer';
import { UnsealedChanges, type UnsealedStatuses } from './unsealed-changes';
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
  /** Whether to tell the statuses of users that unsealed changes concern, instead of waiting until they are sealed. */
  statuses?: boolean;
}

type JournalAnswer = JournalPageDto & { [HAS_MORE]?: boolean };

const OWN_ACTIONS: readonly string[] = JOURNAL_ACTIONS;

/** How soon a deactivation that is not sealed yet is told, at the latest, to a caller that waits. */
const LOOK_AGAIN_MS = 250;

/** Reads the journal backwards, or forwards for followers. It has everything that was committed before. */
@Injectable()
export class ReadJournalService {
  constructor(
    private readonly reader: JournalReader,
    private readonly sealer: Sealer,
    private readonly followers: WaitingFollowers,
    private readonly unsealed: UnsealedChanges,
    @Inject(DATABASE_PARTS) private readonly parts: readonly DatabasePart[],
  ) {}

  /**
   * @param slot released before waiting for entries
   * @param gone aborted when the caller no longer waits for the answer
   * @throws ServiceError `query.invalid` for the action of a plugin that is left out, `journal.other`, `journal.pruned`
   */
  async execute(request: JournalRequest, actor: Actor, slot: Slot, gone: AbortSignal): Promise<JournalAnswer> {
    const isHere = (action: string) =>
      OWN_ACTIONS.includes(action) || this.parts.some(({ actions }) => action in (actions?.catalogue ?? {}));
    if (!(request.action ?? []).every(isHere)) throw new ServiceError('query.invalid', { args: { name: 'action' } });
    if (request.statuses) return this.withStatuses(request, actor, slot, gone);
    const { after, wait } = request;
    const head = await this.sealer.seal();
    if (after === undefined) return this.backwards(request, head);
    const found = await this.forwards(request, after, head);
    if (wait === 0 || !isEmpty(found, head)) return this.answer(found, this.sealer.head.position);
    slot.release();
    const cursor = FollowerCursor.of(head);
    const waited = await this.followers.wait({ ...followerOf(request, actor), cursor, waitMs: wait * 1_000 }, gone);
    return this.answer(waited, this.sealer.head.position, cursor);
  }

  /**
   * The same for a caller that needs to know who is active, and not in which order it came to be: sealing many changes
   * takes seconds. The statuses of the users whom unsealed changes concern are told instead, also while it waits.
   */
  private async withStatuses(
    request: JournalRequest,
    actor: Actor,
    slot: Slot,
    gone: AbortSignal,
  ): Promise<JournalAnswer> {
    const end = performance.now() + request.wait * 1_000;
    let unsealed = await this.unsealed.statuses();
    if (request.after === undefined) return { ...(await this.backwards(request, unsealed.head)), ...told(unsealed) };
    let found = await this.forwards(request, request.after, unsealed.head);
    if (!isEmpty(found, unsealed.head)) return { ...(await this.answer(found, newestOf(unsealed))), ...told(unsealed) };
    slot.release();
    const first = found.bound;
    for (let cursor = first, left = end - performance.now(); left > 0 && isNobody(unsealed);) {
      const follower = { ...followerOf(request, actor), cursor, waitMs: left, lookMs: LOOK_AGAIN_MS };
      found = await this.followers.wait(follower, gone);
      // Complete up to the statuses before, because those told nobody.
      if (found.entries.length > 0 || found.isOver) break;
      if (found.end === found.bound.position) cursor = found.bound;
      unsealed = await this.unsealed.statuses();
      left = end - performance.now();
    }
    return { ...(await this.answer(found, newestOf(unsealed), first)), ...told(unsealed) };
  }

  private async backwards(request: JournalRequest, head: Head): Promise<JournalPageDto> {
    const { cursor, limit, brief } = request;
    const until = cursor === undefined ? head.position : Math.min(head.position, cursor - 1);
    const { entries, end } = await this.reader.page(request, { after: 0, until }, limit, false, brief);
    return { entries, next: end === undefined ? null : String(end) };
  }

  private async forwards(
    request: JournalRequest,
    after: NonNullable<JournalRequest['after']>,
    head: Head,
  ): Promise<FollowedPage> {
    const span = await this.spanOf(after, head);
    const { entries, end } = await this.reader.page(request, span, request.limit, true, request.brief);
    return { entries, end: end ?? head.position, bound: FollowerCursor.of(head) };
  }

  /**
   * @param newest the position up to which there are entries to read
   * @param waited where the follower has waited
   */
  private async answer({ entries, end, bound }: FollowedPage, newest: number, ...waited: FollowerCursor[]) {
    const next = await this.reader.cursorAt(end, bound, ...waited);
    return { entries, next: String(next), [HAS_MORE]: end < newest };
  }

  private async spanOf(after: NonNullable<JournalRequest['after']>, head: Head): Promise<Span> {
    if (after === 'now') return { after: head.position, until: head.position };
    return after === 'start' ? { after: head.pruned, until: head.position } : this.reader.spanAfter(after, head);
  }
}

const isEmpty = ({ entries, end }: FollowedPage, head: Head) => entries.length === 0 && end === head.position;

const isNobody = ({ active, inactive, isWhole }: UnsealedStatuses) =>
  isWhole && active.length === 0 && inactive.length === 0;

/** If there were too many, the caller must read on until there are fewer. */
const newestOf = ({ head, isWhole }: UnsealedStatuses) => (isWhole ? head.position : Infinity);

const told = ({ active, inactive }: UnsealedStatuses) => ({ statuses: { active, inactive } });

function followerOf(request: JournalRequest, actor: Actor) {
  return { actor, filter: request, limit: request.limit, brief: request.brief };
}
