/** What a token function is told. */
export interface TokenRequest {
  /** Aborted when the call no longer waits. */
  signal: AbortSignal;
  /** A token that the service has just refused: a cache must not give it again. */
  refused?: string;
}

/** An access token, or what gives one. */
export type TokenSource = string | ((request: TokenRequest) => string | Promise<string>);

/** RFC 6750 section 2.1, `b64token`. Anything else could not stand in the header. */
const TOKEN = /^[\w.~+/-]+=*$/;

export function isToken(value: unknown): value is string {
  return typeof value === 'string' && TOKEN.test(value);
}
