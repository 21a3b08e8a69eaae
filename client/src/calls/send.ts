import { echoes } from './echoes.ts';
import { exchange } from './exchange.ts';
import { brokenConnection, type Failure, lateAttempt } from './failure.ts';
import { readAnswer } from './read-answer.ts';
import type { Settings } from './settings.ts';
import { within } from './within.ts';
import type { WireAnswer, WireRequest } from './wire-request.ts';

/** Makes one attempt, at most `timeoutMs` long. Never throws. A failure never quotes the token, because failures are logged. */
export async function send(
  settings: Settings,
  request: WireRequest,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<WireAnswer | Failure> {
  const outcome = await sendOnce(settings, request, headers, signal);
  const token = headers.authorization?.replace('Bearer ', '') ?? '';
  return outcome.kind === 'failure' && echoes(token, outcome) ? unquoted(outcome) : outcome;
}

/** The failure without anything that another server has written. The service itself never quotes a token. */
function unquoted({ kind, code, status, temporary, mayBeDone, retryAfterMs }: Failure): Failure {
  return {
    kind,
    code: code.startsWith('client.') ? code : 'client.unexpected_answer',
    detail: 'The answer quotes the token, so it is not shown. Check baseUrl, and any proxy in between.',
    status,
    temporary,
    mayBeDone,
    retryAfterMs,
  };
}

async function sendOnce(
  { fetch, timeoutMs }: Settings,
  { method, url, body, changes, streams }: WireRequest,
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
        (inner) => exchange(fetch, url, { method, headers, body, signal: inner }, streams),
      ),
      { method, changes },
    );
  } catch (thrown) {
    return thrown === late ? lateAttempt(timeoutMs) : brokenConnection(thrown, url);
  }
}
