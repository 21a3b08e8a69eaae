import type { IncomingMessage } from 'node:http';

/** RFC 6750 section 2.1 with RFC 9110 section 11.4: the scheme in any case, the token, and nothing else. */
const CREDENTIALS = /^Bearer +([\w.~+/-]+=*)$/i;

/**
 * The token of the `authorization` header; null if there is none, or if the header is repeated: Node keeps the first
 * one and a proxy perhaps the last one, and they could name different callers.
 */
export function bearerToken(request: Pick<IncomingMessage, 'headersDistinct'>): string | null {
  const [sent, ...others] = request.headersDistinct.authorization ?? [];
  if (sent === undefined || others.length > 0) return null;
  return CREDENTIALS.exec(sent)?.[1] ?? null;
}
