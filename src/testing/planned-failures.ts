import type { RequestHandler } from 'express';
import { type ErrorCode, ERRORS, ServiceError } from '../contract/errors';

/** A refusal that requests meet on purpose. */
export interface PlannedFailure {
  /** One that this service answers, such as 503. */
  status: number;
  /** How many requests meet it: 1 unless told. */
  times?: number;
}

/** Of several codes with one status: the one that any request can meet. */
const USUAL: readonly ErrorCode[] = [
  'request.malformed',
  'auth.token_invalid',
  'auth.administrator_required',
  'route.unknown',
  'record.id_taken',
  'body.unsupported',
];
/** The documentation, health and metrics answer as ever. */
const ROUTES = /^\/api\/(?!docs)/;

/**
 * Refuses the next requests to `/api`, in the form in which the service refuses anything: with `Retry-After` for 429 and 503.
 * Nothing is done for these requests, and nobody's token is looked at.
 */
export class PlannedFailures {
  private planned: ErrorCode[] = [];

  /** Replaces the failures that are still to come. `times: 0` cancels them. */
  plan({ status, times = 1 }: PlannedFailure): void {
    if (!Number.isInteger(times) || times < 0 || times > 1_000_000) {
      throw new RangeError('failNext: `times` must be a whole number from 0 to 1000000.');
    }
    this.planned = Array.from({ length: times }, () => codeOf(status));
  }

  readonly handler: RequestHandler = ({ path }, _response, next) => {
    const code = ROUTES.test(path) ? this.planned.shift() : undefined;
    next(code && new ServiceError(code, { args: { seconds: 1 } }));
  };
}

function codeOf(status: number): ErrorCode {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => ERRORS[code].status === status);
  const code = USUAL.find((usual) => codes.includes(usual)) ?? codes[0];
  if (code) return code;
  const known = [...new Set(Object.values(ERRORS).map((refusal) => refusal.status))].sort();
  throw new RangeError(`failNext: the service never answers ${status}. Choose one of ${known.join(', ')}.`);
}
