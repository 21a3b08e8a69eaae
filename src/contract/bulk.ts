import type { UserStatus, UserType } from './directory';
import type { ErrorCode } from './errors';

/** What the operations on many users tell of what they did, for callers that ask for it. */
export interface BulkResult<Changed> {
  /** Each user for whom anything changed, by id. */
  users: Changed[];
  /** How many users already were as asked for. */
  unchanged: number;
  /** What was unknown and left out. */
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

/** The places that were added or removed, and the type where it changed. */
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
