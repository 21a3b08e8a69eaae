import type { PageRoom } from '../answers/page-room';
import { ENTRY_BYTES, toEntry } from './change-row';
import type { FeedPosition } from './feed-cursor';
import type { FeedChange, PassedChange } from './feed-reader';
import type { JournalFilter } from './journal-search';
import type { JournalEntryDto } from './dto/journal-page.dto';

/** A page for a follower, and the position after it. */
export interface FeedPage {
  entries: JournalEntryDto[];
  position: FeedPosition;
  /** Whether there is more to read at once. */
  more: boolean;
}

/**
 * Selects the entries for a follower from the changes after its position, as far as there is room for them. It skips changes that the
 * follower has already received.
 */
export function pageOf(
  changes: readonly (FeedChange | PassedChange)[],
  { delivered: before, partial }: FeedPosition,
  filter: JournalFilter,
  room: PageRoom,
): FeedPage {
  const delivered = new Map(before);
  const entries: JournalEntryDto[] = [];
  for (const change of changes) {
    const { chain, number } = change;
    if (number <= (delivered.get(chain) ?? 0n)) continue;
    const isBegun = partial?.chain === chain && number === (before.get(chain) ?? 0n) + 1n;
    const first = isBegun ? partial.entries : 0;
    if (concerns(change, filter)) {
      for (const [index, user] of change.user_ids.entries()) {
        if (index < first || (filter.user !== undefined && filter.user !== user)) continue;
        if (!room.take(change.bytes + ENTRY_BYTES)) {
          const position = { delivered, ...(index > 0 && { partial: { chain, entries: index } }) };
          return { entries, position, more: true };
        }
        entries.push(toEntry(change, String(change.id + BigInt(index)), user));
      }
    }
    delivered.set(chain, number);
  }
  return { entries, position: { delivered }, more: false };
}

/** Whether a change has an entry that matches the follower's filter. */
export function concerns(
  change: FeedChange | PassedChange,
  { user, workspace, actor, action, from, to }: JournalFilter,
): change is FeedChange {
  return (
    change.action !== null &&
    (user === undefined || change.user_ids.includes(user)) &&
    (workspace === undefined || change.workspace_ids.includes(workspace)) &&
    (actor === undefined || change.actor_id === actor) &&
    (action === undefined || action.includes(change.action)) &&
    (from === undefined || change.at >= from) &&
    (to === undefined || change.at < to)
  );
}
