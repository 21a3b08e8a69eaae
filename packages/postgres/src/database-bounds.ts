/** Time limits and queue limits, in milliseconds. 0 in the first three means no limit. */
export interface DatabaseBounds {
  /** For one statement. */
  readonly statementMs: number;
  /** For a row that another transaction has locked. */
  readonly lockMs: number;
  /** For an idle transaction: the database then ends the connection and releases its locks. */
  readonly idleTransactionMs: number;
  /** For a new connection. */
  readonly connectMs: number;
  /** The number of units of work that can wait for a connection; the next one is refused at once. */
  readonly queue: number;
  /** For a connection of the pool to become free. */
  readonly queueMs: number;
}
