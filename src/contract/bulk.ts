import type { UserStatus, UserType } from './directory';
import type { ErrorCode } from './errors';

/** The result of an operation on many users, for callers that request it. */
export interface BulkResult<Changed> {
  /** Each user with a change, by id. */
  users: Changed[];
  /** The number of users without a change. */
  unchanged: number;
  /** The unknown ids that were skipped. */
  refused: RefusedId[];
}

export interface RefusedId {
  /** A JSON pointer (RFC 6901) into the body of the request. */
  pointer: string;
  id: string;
  code: ErrorCode;
}

interface BeforeAndAfter<Value> {
  before: Value;
  after: Value;
}

/** The memberships that were added or removed, and the type if it changed. */
export interface ChangedPlaces {
  id: string;
  workspaces: string[];
  groups: string[];
  type?: BeforeAndAfter<UserType>;
}

export interface ChangedStatus {
  id: string;
  status: BeforeAndAfter<UserStatus>;
}
