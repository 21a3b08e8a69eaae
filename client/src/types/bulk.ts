import type { PostOptions } from '../client-options.ts';
import type {
  AssignStatusesDto,
  ChangedPlacesDto,
  ChangedStatusDto,
  StatusesResultDto,
  UserImpactDto,
} from '../generated/types.gen.ts';

/** Options of the operations on many users. */
export interface BulkOptions extends PostOptions {
  /** Returns the changes as `result` (`Prefer: return=representation`, RFC 7240). */
  representation?: boolean;
  /** Returns as `result` what the call would change, and changes nothing. */
  dryRun?: boolean;
  /** Skips unknown ids and lists them in `result.refused`, instead of refusing the call (`Prefer: handling=lenient`, RFC 7240). */
  lenient?: boolean;
}

export interface BulkBody {
  status: 200;
  /** The message for people, in the language of the call. */
  message: string;
}

/** The changes of a call on many users, the number of users without a change, and the skipped ids of a lenient call. */
export type BulkResult<Changed> = Omit<StatusesResultDto, 'users'> & {
  /** The changed users, in order of id. */
  users: Changed[];
};

/** The answer of a call on many users. It has a `result` if an option of `BulkOptions` asked for one. */
export type BulkAnswer<Changed, Options> = BulkBody &
  (Options extends { dryRun: true } | { representation: true } | { lenient: true }
    ? { result: BulkResult<Changed> }
    : { result?: BulkResult<Changed> });

/** Whom a change would affect: how many users would hold other permissions, leave a place or get another type, and whose types would change. */
export type UserImpact = UserImpactDto;

/** What a dry run of a change or a deletion of one record would do: the record as it would be (null if deleted), and the users that it would affect. */
export interface RecordDryRun<Item> extends BulkBody {
  result: { record: Item | null; users: UserImpact };
}

/** The answer of a change or a deletion of one record, or of a dry run of it. */
export type RecordAnswer<Done, Item, Options> = Options extends { dryRun: true } ? RecordDryRun<Item> : Done;

/** The workspaces and groups that were added or removed, and the user's type if it changed. */
export type ChangedPlaces = ChangedPlacesDto;

/** The user's status before and after. */
export type ChangedStatus = ChangedStatusDto;

/** The body of `assignStatus`: at most 10,000 users. */
export type StatusAssignment = AssignStatusesDto;
