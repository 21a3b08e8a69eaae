import { exchange } from './exchange.ts';
import { brokenConnection, type Failure, lateAttempt } from './failure.ts';
import { readAnswer } from './read-answer.ts';
import type { Settings } from './settings.ts';
import { within } from './within.ts';
import type { WireAnswer, WireRequest } from './wire-request.ts';

/** Makes one attempt, at most `timeoutMs` long. Never throws. */
export async function send(
  { fetch, timeoutMs }: Settings,
  { method, url, body }: WireRequest,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<WireAnswer | Failure> {
  const late = new Error('late');
  try {
    return readAnswer(
      await within(
        timeoutMs,
        signal,
        () => late,
        (inner) => exchange(fetch, url, { method, headers, body, signal: inner }),
      ),
      method,
    );
  } catch (thrown) {
    return thrown === late ? lateAttempt(timeoutMs) : brokenConnection(thrown, url);
  }
}
