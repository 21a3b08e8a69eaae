export const CANNOT_WRITE = '25006';

/** The database is not available at the moment: it does not answer, or too many statements wait for it already. */
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

/** No connection could be made. The cause says whether a retry can succeed. */
export class NoConnectionError extends DatabaseAwayError {}

/** The server answers, but it is a standby or read-only. Its data about callers may be out of date. */
export class CannotWriteError extends DatabaseAwayError {
  constructor(readonly what: 'a standby' | 'read-only' | 'a standby or read-only') {
    super(`the database cannot write: it is ${what}`, CANNOT_WRITE);
  }
}

/** The connection ended after a statement was sent and before its answer arrived. */
export class AnswerLostError extends DatabaseAwayError {}

/**
 * The lost answer was that to a commit, so the change may have been made. `refusals.ts` answers 503
 * `service.outcome_unknown`.
 */
export class OutcomeUnknownError extends DatabaseAwayError {}

/** Another transaction changed what a unit of work had found, before the unit locked it. The unit can begin again. */
export class OvertakenError extends Error {}
