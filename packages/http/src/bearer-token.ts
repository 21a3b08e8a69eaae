import type { IncomingMessage } from 'node:http';

/** RFC 6750 section 2.1 with RFC 9110 section 11.4: the scheme in any case, the token, and nothing else. */
const CREDENTIALS = /^Bearer +([\w.~+/-]+=*)$/i;

/** The scheme twice: what was pasted after it was not a token, but a whole header. */
const TWICE = /^Bearer\s+Bearer\b/i;

/** Why there is no token in the `authorization` header, for the log. */
export function whyNoBearerToken({ headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>): string {
  return TWICE.test(headersDistinct.authorization?.[0] ?? '')
    ? 'the header has the word Bearer twice: send it once, before the token'
    : 'there is no bearer token';
}

/**
 * The token of the `authorization` header; null if there is none, or if the header is repeated: Node keeps the first
 * one and a proxy perhaps the last one, and they could name different callers.
 */
export function bearerToken(request: Pick<IncomingMessage, 'headersDistinct'>): string | null {
  const [sent, ...others] = request.headersDistinct.authorization ?? [];
  if (sent === undefined || others.length > 0) return null;
  return CREDENTIALS.exec(sent)?.[1] ?? null;
}
