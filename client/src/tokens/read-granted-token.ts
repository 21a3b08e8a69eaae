import type { Received } from '../calls/exchange.ts';
import { isObject } from '../calls/read-answer.ts';
import { UserAdministrationError } from '../user-administration-error.ts';
import { isToken } from './token-source.ts';

export interface GrantedToken {
  token: string;
  lifetimeMs: number;
}

/** Used if the provider sends no `expires_in`. */
const DEFAULT_LIFETIME_MS = 300_000;

/**
 * Reads the answer of a token endpoint (RFC 6749 sections 5.1 and 5.2).
 *
 * @throws UserAdministrationError `client.token_failed`
 */
export function readGrantedToken({ status, headers, text }: Received): GrantedToken {
  const body = parsed(text);
  if (status === 200 && isToken(body.access_token)) {
    // Some providers send the number as text.
    const seconds = Number(body.expires_in);
    return { token: body.access_token, lifetimeMs: seconds > 0 ? seconds * 1_000 : DEFAULT_LIFETIME_MS };
  }
  const temporary = status === 429 || status >= 500;
  if (typeof body.error === 'string') {
    const description = typeof body.error_description === 'string' ? `: ${body.error_description}` : '';
    throw tokenFailed(`The token endpoint answered with an error: ${body.error}${description}.`, { temporary });
  }
  const type = headers.get('content-type')?.split(';', 1)[0] ?? 'no content type';
  throw tokenFailed(`The token endpoint answered ${status} (${type}) without a token. Check tokenUrl.`, { temporary });
}

export function tokenFailed(detail: string, facts: { temporary: boolean; cause?: unknown }): UserAdministrationError {
  return new UserAdministrationError({ code: 'client.token_failed', detail, ...facts });
}

function parsed(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text);
    return isObject(body) ? body : {};
  } catch {
    return {};
  }
}
