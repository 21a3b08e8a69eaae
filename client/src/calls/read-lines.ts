import { UserAdministrationError } from '../user-administration-error.ts';
import { aborted } from './on-abort.ts';
import { CUT_OFF, isObject } from './read-answer.ts';
import { within } from './within.ts';

/** Longer than any line of the service. Bounds the memory that an endless line can take. */
const MAX_LINE = 16 * 1024 * 1024;

interface Reading {
  /** How long one part may take. */
  timeoutMs: number;
  signal: AbortSignal | undefined;
  requestId: string | undefined;
}

/** Yields each line of NDJSON, at the pace of the caller. Leaving the loop ends the answer. */
export async function* readLines(
  body: ReadableStream<Uint8Array>,
  { timeoutMs, signal, requestId }: Reading,
): AsyncGenerator<object, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await within(
        timeoutMs,
        signal,
        (why) => (why === 'aborted' ? aborted(signal?.reason, { requestId }) : cutOff(requestId)),
        () => reader.read(),
      ).catch((cause: unknown) => {
        throw cause instanceof UserAdministrationError ? cause : cutOff(requestId, cause);
      });
      if (done) break;
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > MAX_LINE) throw notLines(requestId);
      for (const line of lines) yield parsed(line, requestId);
    }
    if (rest !== '') throw cutOff(requestId);
  } finally {
    // It may never settle where the connection is stuck.
    void reader.cancel().catch(() => undefined);
  }
}

function parsed(line: string, requestId: string | undefined): object {
  try {
    const value: unknown = JSON.parse(line);
    if (isObject(value)) return value;
  } catch {
    // As any other line that is no object.
  }
  throw notLines(requestId);
}

/** An answer that ends before its end is told. */
export function cutOff(requestId?: string, cause?: unknown): UserAdministrationError {
  return new UserAdministrationError({ ...CUT_OFF, requestId, cause });
}

export function notLines(requestId?: string): UserAdministrationError {
  const detail = 'Not an answer of this service: it has a line that is no JSON object. Check baseUrl.';
  return new UserAdministrationError({ code: 'client.unexpected_answer', detail, requestId });
}
