import { METHODS } from 'node:http';
import type { Request, RequestHandler } from 'express';
import type { PlannedFailure } from './planned-failure';
import { refuseUnknownNames } from './known-names';
import { type ErrorCode, ERRORS, ServiceError } from '../../../src/contract/errors';

/** For a status with several codes: the code that any request can get. */
const USUAL: readonly ErrorCode[] = [
  'request.malformed',
  'auth.token_invalid',
  'auth.administrator_required',
  'route.unknown',
  'record.id_taken',
  'body.unsupported',
];
/** The codes of manage-status that differ from those of other routes. */
const OF_MANAGE_STATUS: Partial<Record<number, ErrorCode>> = {
  401: 'status.not_permitted',
  409: 'status.last_administrator',
};
const MANAGE_STATUS = /^\/api\/users\/manage-status\/?$/;
/** The options of `failNext`. Another name would plan something else than a test asks for. */
const OPTIONS: Readonly<Record<keyof PlannedFailure, true>> = { status: true, times: true, path: true, method: true };
/** The documentation, health and metrics are not affected. */
const ROUTES = /^\/api\/(?!docs)/;

/**
 * Refuses the next requests to `/api` in the error format of the service, with `Retry-After` for 429 and 503. Nothing
 * changes, and tokens are not verified.
 */
export class PlannedFailures {
  private code: ErrorCode | undefined;
  private left = 0;
  private path: string | undefined;
  private method: string | undefined;

  /** Replaces the remaining failures. `times: 0` cancels them. */
  plan(failure: PlannedFailure): void {
    refuseUnknownNames('failNext: there is', failure, OPTIONS);
    const { status, times = 1, path, method } = failure;
    if (!Number.isInteger(times) || times < 0 || times > 1_000_000) {
      throw new RangeError('failNext: `times` must be a whole number from 0 to 1000000.');
    }
    if (path !== undefined && !(typeof path === 'string' && ROUTES.test(path))) {
      throw new RangeError(
        'failNext: `path` must begin with /api/, without a query, and be none of the documentation.',
      );
    }
    if (method !== undefined && !(typeof method === 'string' && METHODS.includes(method.toUpperCase()))) {
      throw new RangeError('failNext: `method` must be one of HTTP, such as POST.');
    }
    this.code = codeOf(status);
    this.left = times;
    this.path = path && withoutSlash(path);
    this.method = method?.toUpperCase();
  }

  readonly handler: RequestHandler = (request, _response, next) => {
    const { path } = request;
    if (!this.code || this.left === 0 || !ROUTES.test(path) || !this.isMeant(request)) return next();
    this.left -= 1;
    const own = MANAGE_STATUS.test(path) ? OF_MANAGE_STATUS[ERRORS[this.code].status] : undefined;
    next(new ServiceError(own ?? this.code, { args: { seconds: 1 } }));
  };

  private isMeant({ path, method, query }: Request): boolean {
    if (this.method !== undefined && method !== this.method) return false;
    const asked = withoutSlash(path);
    if (this.path !== undefined) return asked === this.path;
    return !(asked === '/api/journal' && method === 'GET' && 'after' in query);
  }
}

/** A path with a slash at its end is the same route. */
const withoutSlash = (path: string): string => path.replace(/\/$/, '');

function codeOf(status: number): ErrorCode {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => ERRORS[code].status === status);
  const code = USUAL.find((usual) => codes.includes(usual)) ?? codes[0];
  if (code) return code;
  const known = [...new Set(Object.values(ERRORS).map((refusal) => refusal.status))].sort();
  throw new RangeError(`failNext: the service never answers ${status}. Choose one of ${known.join(', ')}.`);
}
