import type { UserType } from '@user-administration/client';
import { Store } from '../ui/store.ts';

/**
 * A change of many people that somebody has begun. Where `workspaces` are missing, the dialog asks for the places. As in the API, `groups`
 * need their workspaces in `workspaces`, and taking people out of groups leaves them in the workspaces.
 */
export type ProposedChange = {
  userIds: readonly string[];
  /** Called when it has been made, to end a selection. */
  onDone?: () => void;
} & (
  | { kind: 'add' | 'remove'; workspaces?: readonly string[]; groups?: readonly string[] }
  | { kind: 'status'; status: 'active' | 'inactive' }
  /** Memberships that end at `until`; the form begins with `start`, where an empty text takes the end away. */
  | { kind: 'end'; workspaces: readonly string[]; groups?: readonly string[] | undefined; until: string; start: string }
);

/** The kinds of changes, as the messages name them. */
export type ChangeKind = 'add' | 'remove' | 'active' | 'inactive';

/** @param until when memberships are to end: an earlier end is set by taking out, a later one and none by adding */
export function kindOf(change: ProposedChange, until = ''): ChangeKind {
  if (change.kind === 'status') return change.status;
  if (change.kind !== 'end') return change.kind;
  return Date.parse(until) < Date.parse(change.until) ? 'remove' : 'add';
}

/** What a change, or its undoing, changes: for each changed user the facts that the service returns. */
export interface Result {
  users: {
    id: string;
    workspaces?: string[];
    groups?: string[];
    until?: { workspaces: Record<string, string | null>; groups: Record<string, string | null> };
    type?: { before: UserType; after: UserType };
    status?: { before: string; after: 'active' | 'inactive' };
  }[];
  unchanged: number;
  refused: { pointer: string; id: string }[];
}

export const proposed = new Store<ProposedChange | undefined>(undefined);

/** Opens the dialog in which a change is previewed, made and undone. */
export function propose(change: ProposedChange): void {
  proposed.set(change);
}
