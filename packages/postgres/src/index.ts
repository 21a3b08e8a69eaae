export { BoundedReads, EndedReadError } from './bounded-reads';
export { Cancellation, GoneError } from './cancellation';
export { ConnectionPool, ConnectionPools, KEEP_NO_PREPARED_STATEMENTS } from './connection-pools';
export { ConnectionSlots, type Slot } from './connection-slots';
export { type ConnectionOptions, DatabaseClient } from './database-client';
export { CannotWriteError, DatabaseAwayError, OutcomeUnknownError, OvertakenError } from './database-errors';
export { DatabaseServers } from './database-servers';
export { DatabaseStart } from './database-startup';
export { dryRun } from './dry-run';
export { ExpiredRows } from './expired-rows';
export { findServer } from './find-server';
export { connect, CONNECT_TIMEOUT_MS } from './first-connection';
export { migrate, type Migrated, type Schema } from './migrate';
export { MigrationDelayedError } from './migration-errors';
export { DATABASE, type DatabaseAddress, type OpenedDatabase } from './opened-database';
export { OutageNotice } from './outage-notice';
export { prepared } from './prepared-statements';
export { RepeatedWork } from './repeated-work';
export {
  asOvertaken,
  databaseCode,
  driverErrorOf,
  INSUFFICIENT_PRIVILEGE,
  isCommitLost,
  isConflict,
  isConnectionOver,
  isDatabaseUnavailable,
  isOvertaken,
  isReadOnly,
  isRefusedConnection,
  isShortage,
  isTransactionEnded,
  LOCK_NOT_AVAILABLE,
  mayConnectLater,
} from './sql-errors';
export { fingerprintOf, pendingSqlFunctions, readSqlFunctions, type SqlRelease } from './sql-functions';
export { type Queryable, ReservedStatements, Statements } from './statements';
export { afterCommit, type IdempotentUnit, retryOvertaken, UnitsOfWork } from './units-of-work';
export { WakeSignal } from './wake-signal';
