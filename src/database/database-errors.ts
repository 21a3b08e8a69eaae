export const CANNOT_WRITE = '25006';

/** The database cannot be asked at the moment: nobody answers, or too many wait for it already. */
export class DatabaseAwayError extends Error {
  constructor(
    message: string,
    /** The SQLSTATE or system code, if there is one. */
    readonly code?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** No connection could be made. Its cause tells whether the next try can succeed. */
export class NoConnectionError extends DatabaseAwayError {}

/** The server answers, but it is a standby or read-only. What it says of a caller may be out of date. */
export class CannotWriteError extends DatabaseAwayError {
  constructor(readonly what: 'a standby' | 'read-only' | 'a standby or read-only') {
    super(`the database cannot write: it is ${what}`, CANNOT_WRITE);
  }
}

/** The connection ended after a statement had been sent, and before its answer came. */
export class AnswerLostError extends DatabaseAwayError {}

/** The answer that was lost is that to a commit, so the change may have been made. */
export class OutcomeUnknownError extends DatabaseAwayError {}
