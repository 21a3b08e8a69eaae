import type { ErrorFacts } from '../user-administration-error.ts';

/** The end of a failed attempt. */
export interface Failure extends ErrorFacts {
  kind: 'failure';
  /** Whether the same request may succeed later. */
  temporary: boolean;
  /** Whether the change may have been made. False only if it certainly was not. */
  mayBeDone: boolean;
}

/** Codes of connections that were never established, so that nothing was sent. */
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** The failure for an error that `fetch`, or reading the body, has thrown. */
export function brokenConnection(thrown: unknown, url: string): Failure {
  const { code, reason } = rootOf(thrown);
  const { origin } = new URL(url);
  return {
    kind: 'failure',
    code: 'client.connection_failed',
    detail: `No complete answer from ${origin}: ${reason}.`,
    temporary: true,
    mayBeDone: !NOT_SENT.has(code ?? ''),
    cause: thrown,
  };
}

export function lateAttempt(timeoutMs: number): Failure {
  return {
    kind: 'failure',
    code: 'client.timed_out',
    detail: `No complete answer within ${timeoutMs} ms.`,
    temporary: true,
    mayBeDone: true,
  };
}

interface Thrown {
  message?: string;
  code?: unknown;
  cause?: unknown;
  errors?: unknown[];
}

/**
 * Finds the error that made `fetch` fail. `fetch` throws `fetch failed` and has the actual error as its `cause`, or a list of errors if it
 * tried several addresses. `instanceof` does not recognize errors of another realm, such as those that Node throws into a Jest test.
 */
function rootOf(thrown: unknown): { code?: string; reason: string } {
  let error = thrown as Thrown | undefined;
  for (let depth = 0; depth < 10 && typeof error?.code !== 'string'; depth++) {
    const inner = (error?.cause ?? error?.errors?.[0]) as Thrown | undefined;
    if (!inner) break;
    error = inner;
  }
  const code = typeof error?.code === 'string' ? error.code : undefined;
  return { code, reason: error?.message || code || 'the connection failed' };
}
