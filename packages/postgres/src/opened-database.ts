import type { DatabaseLocation } from './database-servers';

export interface DatabaseAddress extends DatabaseLocation {
  /** The maximum number of connections of this process. */
  poolSize: number;
}

export interface OpenedDatabase extends DatabaseAddress {
  /** Whether the database runs inside this process, and so ends with it. It has one session. */
  embedded: boolean;
  close(): Promise<void>;
}

/** The injection token of the {@link OpenedDatabase} of this process. */
export const DATABASE = Symbol('DATABASE');
