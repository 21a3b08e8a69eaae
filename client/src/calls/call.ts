import { UserAdministrationError } from '../user-administration-error.ts';
import { Access } from './access.ts';
import type { Failure } from './failure.ts';
import { aborted } from './on-abort.ts';
import { pause } from './pause.ts';
import { mayBeSentAgain, pauseBefore } from './retry.rules.ts';
import { send } from './send.ts';
import type { Settings } from './settings.ts';
import { runHook } from './run-hook.ts';
import { type Stop, within } from './within.ts';
import type { WireAnswer, WireRequest } from './wire-request.ts';

/** One call: attempts until a success, a failure that must not be retried, or the deadline. */
export class Call {
  private readonly access: Access;
  private readonly endsAt: number;
  private sent = 0;
  private failed = 0;
  private asked = 0;
  private last: Failure | undefined;
  /** Whether an attempt that has ended may have made the change. */
  private mayBeDone = false;
  /** Whether an attempt is in flight. It may make the change as well. */
  private underWay = false;

  constructor(
    private readonly settings: Settings,
    private readonly request: WireRequest,
    private readonly signal?: AbortSignal,
  ) {
    this.access = new Access(settings.token);
    this.endsAt = performance.now() + settings.deadlineMs;
  }

  /** @throws UserAdministrationError */
  run(): Promise<WireAnswer> {
    return within(
      this.settings.deadlineMs,
      this.signal,
      (why) => this.stopped(why),
      (signal) => this.attemptAll(signal),
    );
  }

  private async attemptAll(signal: AbortSignal): Promise<WireAnswer> {
    for (;;) {
      const outcome = this.note(await this.attemptOnce(signal));
      if (outcome.kind === 'answer') return outcome;
      const pauseMs = this.pauseAfter(outcome);
      if (pauseMs === undefined) throw this.errorOf(outcome);
      await pause(pauseMs, signal);
    }
  }

  private async attemptOnce(signal: AbortSignal): Promise<WireAnswer | Failure> {
    const token = this.request.public ? undefined : await this.access.token(signal);
    if (typeof token === 'object') return token;
    signal.throwIfAborted();
    const { operation, method, url } = this.request;
    const attempt = { operation, method, url, number: ++this.sent, headers: { ...this.request.headers } };
    runHook(this.settings.hooks, (hooks) => hooks.attemptStarted?.(attempt));
    const headers = token === undefined ? attempt.headers : { ...attempt.headers, authorization: `Bearer ${token}` };
    const began = performance.now();
    this.underWay = true;
    const outcome = await send(this.settings, this.request, headers, signal);
    this.underWay = false;
    const error = outcome.kind === 'failure' ? this.errorOfAttempt(outcome, signal) : undefined;
    const end = { durationMs: performance.now() - began, status: outcome.status, error };
    runHook(this.settings.hooks, (hooks) => hooks.attemptEnded?.(attempt, end));
    return outcome;
  }

  /** A retried DELETE that finds no record is a success if an earlier attempt may have deleted it. */
  private note(outcome: WireAnswer | Failure): WireAnswer | Failure {
    if (outcome.kind === 'answer') return outcome;
    if (this.mayBeDone && this.request.method === 'DELETE' && this.request.changes && isUnknownRecord(outcome)) {
      return { kind: 'answer', status: 204, headers: new Headers(), body: undefined, requestId: outcome.requestId };
    }
    this.last = outcome;
    this.mayBeDone ||= outcome.mayBeDone;
    return outcome;
  }

  /** Milliseconds before the next attempt; undefined if there must be none. */
  private pauseAfter(failure: Failure): number | undefined {
    if (this.access.mayRenew(failure)) return 0;
    if (!mayBeSentAgain(this.request, failure)) return undefined;
    // An earlier attempt of this call is still being executed. Asking for its result is not a retry: only the deadline limits it.
    const asks = failure.code === 'idempotency.in_progress' && this.sent > 1;
    if (!asks && this.failed >= this.settings.retries) return undefined;
    const ms = pauseBefore(asks ? ++this.asked : ++this.failed, failure.retryAfterMs);
    return ms === undefined || performance.now() + ms >= this.endsAt ? undefined : ms;
  }

  /** An attempt that was stopped together with its call ends with the error of the call. */
  private errorOfAttempt(failure: Failure, { aborted: isAborted, reason }: AbortSignal): UserAdministrationError {
    return isAborted ? (reason as UserAdministrationError) : this.errorOf(failure);
  }

  private errorOf(failure: Failure): UserAdministrationError {
    const { changes, idempotencyKey, headers } = this.request;
    const settled = idempotencyKey !== undefined && refusesAllAttempts(failure);
    const outcomeUnknown = changes && !settled && (failure.mayBeDone || this.mayBeDone);
    const requestId = failure.requestId ?? headers['x-request-id'];
    return new UserAdministrationError({ ...failure, requestId, outcomeUnknown, idempotencyKey });
  }

  private stopped(why: Stop): UserAdministrationError {
    const { changes, idempotencyKey, headers } = this.request;
    const facts = {
      requestId: this.last?.requestId ?? headers['x-request-id'],
      outcomeUnknown: changes && (this.mayBeDone || this.underWay),
      idempotencyKey,
    };
    if (why === 'aborted') return aborted(this.signal?.reason, facts);
    const last = this.last ? ` Last failure: ${this.last.detail}` : '';
    return new UserAdministrationError({
      ...facts,
      code: 'client.deadline_exceeded',
      detail: `The call did not succeed within ${this.settings.deadlineMs} ms.${last}`,
      temporary: true,
      cause: this.last?.cause,
    });
  }
}

/**
 * Refusals that say nothing about an earlier attempt. The service judges the caller before it looks for the answer to replay, and that
 * attempt may itself have taken the caller's rights. A key that is in use can have an answer that the service cannot read any more.
 */
const BEFORE_REPLAY: readonly (number | undefined)[] = [401, 403, 422];

/** Whether a refusal of a request with a key covers all attempts: if one had made the change, the service would have replayed its answer. */
function refusesAllAttempts({ code, status, temporary, mayBeDone }: Failure): boolean {
  return !code.startsWith('client.') && !temporary && !mayBeDone && !BEFORE_REPLAY.includes(status);
}

/** `route.unknown` means that the path is wrong, not that the record is missing. */
function isUnknownRecord({ status, code }: Failure): boolean {
  return status === 404 && /^(?!route\.)\w+\.unknown$/.test(code);
}
