/** The argument of a token function. */
export interface TokenRequest {
  /** Aborted when the call no longer waits for the token. */
  signal: AbortSignal;
  /** A token that the service has just refused. A cache must not return it again. */
  refused?: string;
}

/** An access token, or a function that returns one. */
export type TokenSource = string | ((request: TokenRequest) => string | Promise<string>);

/** The `b64token` of RFC 6750 section 2.1: what the `Authorization` header can contain. */
const TOKEN = /^[\w.~+/-]+=*$/;

export function isToken(value: unknown): value is string {
  return typeof value === 'string' && TOKEN.test(value);
}
