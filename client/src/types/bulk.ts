import type { PostOptions } from '../client-options.ts';
import type { UserStatus, UserType } from './directory.ts';

/** How the operations on many users are done. */
export interface BulkOptions extends PostOptions {
  /** Answer with what changed. */
  representation?: boolean;
  /** Try it, tell what would change, and change nothing. */
  dryRun?: boolean;
  /** Leave out what is unknown, and tell of it, instead of refusing everything. */
  lenient?: boolean;
}

export interface BulkBody {
  status: 200;
  /** The sentence, in the language of the call. */
  message: string;
}

export interface BulkResult<Changed> {
  /** Everyone for whom something changed, by id. */
  users: Changed[];
  /** How many already were as asked for. */
  unchanged: number;
  /** What was unknown and left out. */
  refused: { pointer: string; id: string; code: string }[];
}

/** The answer: with a result if it was asked for. */
export type BulkAnswer<Changed, Options> = BulkBody &
  (Options extends { dryRun: true } | { representation: true } | { lenient: true }
    ? { result: BulkResult<Changed> }
    : { result?: BulkResult<Changed> });

/** The places that were added or removed, and the type where it changed. */
export interface ChangedPlaces {
  id: string;
  workspaces: string[];
  groups: string[];
  type?: { before: UserType; after: UserType };
}

export interface ChangedStatus {
  id: string;
  status: { before: UserStatus; after: UserStatus };
}

/** Sets the status of many users. */
export interface StatusAssignment {
  userIds: string[];
  status: UserStatus;
  reason?: string;
}
