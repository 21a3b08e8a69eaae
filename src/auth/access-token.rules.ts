import type { JwtHeader } from 'jsonwebtoken';
import { ExpectedError } from '../contract/expected-error';

/** What an access token says, once verified. */
export interface AccessClaims {
  sub: string;
  scopes: readonly string[];
}

/** Why a token is refused: for the log, never for the caller. */
export class TokenRefusedError extends ExpectedError {
  override readonly name = 'TokenRefusedError';
}

/** Longer than any token that fits into a request header; the body could carry megabytes. */
const MAX_TOKEN_LENGTH = 16_384;

/** To be asked before anything of a token is decoded. */
export function refuseTooLong(token: string): void {
  if (token.length > MAX_TOKEN_LENGTH) throw new TokenRefusedError('the token is too long');
}

const ACCESS_TOKEN_TYPES = [undefined, 'jwt', 'at+jwt'];
const MAX_ISSUED_AHEAD_SECONDS = 60;

/**
 * The header of an access token by RFC 8725: an explicit type of another purpose is refused (section 3.11, with RFC 9068
 * section 2.1), and so is every critical extension, because we understand none (RFC 7515 section 4.1.11).
 */
export function checkAccessHeader(header: JwtHeader): void {
  const type: unknown = header.typ;
  if (!ACCESS_TOKEN_TYPES.includes(typeof type === 'string' ? type.toLowerCase() : (type as undefined))) {
    throw new TokenRefusedError('the token is of another type');
  }
  if ('crit' in header) throw new TokenRefusedError('the token has critical extensions');
}

/**
 * The claims of an access token. The library has already compared `exp`, `nbf`, `iss` and `aud` where they stand; it lets
 * pass a token without `exp`, a `sub` that is no string, and a time that is no finite number or lies ahead.
 */
export function readAccessClaims(payload: unknown): AccessClaims {
  if (typeof payload !== 'object' || payload === null) throw new TokenRefusedError('the payload is not an object');
  const { sub, exp, nbf, iat, scope } = payload as Record<string, unknown>;
  if (!isTime(exp)) throw new TokenRefusedError('exp is missing or not a finite number');
  if (nbf !== undefined && !isTime(nbf)) throw new TokenRefusedError('nbf is not a finite number');
  if (iat !== undefined && !isTime(iat)) throw new TokenRefusedError('iat is not a finite number');
  if (isTime(iat) && iat > Date.now() / 1000 + MAX_ISSUED_AHEAD_SECONDS) throw new TokenRefusedError('iat lies ahead');
  if (typeof sub !== 'string' || sub === '') throw new TokenRefusedError('sub is missing or not a string');
  return { sub, scopes: typeof scope === 'string' ? scope.split(' ') : [] };
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
