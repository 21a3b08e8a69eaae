import { isUtf8 } from 'node:buffer';
import type { JwtHeader } from 'jsonwebtoken';
import type { TokenOptions } from './token-options';

/** The verified content of an access token. */
export interface AccessClaims {
  /** `sub`: identifies a service. */
  subject: string;
  /** The id of the user in the token. The token of a service may have none. */
  userId: string | undefined;
  scopes: readonly string[];
  /** Whether the token says that a client acts for itself instead of for a person. */
  actsForItself: boolean;
}

/**
 * The reason why a token is refused: for the log, never for the caller. It records no stack trace, which nobody would
 * read and which takes a tenth of the CPU time of a refusal.
 */
export class TokenRefusedError extends Error {
  override readonly name = 'TokenRefusedError';

  constructor(message: string, options?: ErrorOptions) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Longer than any token that fits into a request header. A body could contain megabytes. */
const MAX_TOKEN_LENGTH = 16_384;

/** Call this before decoding any part of a token. */
export function refuseTooLong(token: string): void {
  if (token.length > MAX_TOKEN_LENGTH) throw new TokenRefusedError('the token is too long');
}

/**
 * The compact serialization of a signed token, in UTF-8 (RFC 8725 section 3.7). JSON, five parts and empty signatures
 * do not match.
 */
export function refuseOtherForms(token: string): void {
  refuseTooLong(token);
  const parts = /^([\w-]+)\.([\w-]+)\.[\w-]+$/.exec(token)?.slice(1);
  const isInUtf8 = parts?.every((part) => isUtf8(Buffer.from(part, 'base64url')));
  if (!isInUtf8) throw new TokenRefusedError('the token is malformed');
}

const ACCESS_TOKEN_TYPES = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];
const MAX_AHEAD_SECONDS = 60;

/**
 * The header of an access token by RFC 8725: an explicit type of another purpose is refused (section 3.11, with RFC
 * 9068 section 2.1), and so is every critical extension, because this service understands none (RFC 7515 section
 * 4.1.11). `b64` is one of them (RFC 7797), also where `crit` does not name it.
 */
export function checkAccessHeader(header: JwtHeader): void {
  const type: unknown = header.typ;
  if (!ACCESS_TOKEN_TYPES.includes(typeof type === 'string' ? type.toLowerCase() : (type as undefined))) {
    throw new TokenRefusedError('the token is of another type');
  }
  if ('crit' in header || 'b64' in header) throw new TokenRefusedError('the token has critical extensions');
}

/**
 * The claims of an access token. The library has compared `iss` and `aud`, and `exp` with the clock. It accepts a token
 * without `exp`, a `sub` that is not a string, and times that are not finite numbers or lie ahead.
 */
export function readAccessClaims(
  payload: unknown,
  config: Pick<TokenOptions, 'scopeClaim' | 'userClaim'>,
): AccessClaims {
  if (typeof payload !== 'object' || payload === null) throw new TokenRefusedError('the payload is not an object');
  const claims = payload as Record<string, unknown>;
  if (!isFiniteNumber(claims.exp)) throw new TokenRefusedError('exp is missing or not a finite number');
  refuseAhead('nbf', claims.nbf);
  refuseAhead('iat', claims.iat);
  refuseIdentityTokens(claims);
  const subject = claims.sub;
  if (!isText(subject)) throw new TokenRefusedError('sub is missing or not a string');
  return {
    subject,
    userId: readUserId(claims, config.userClaim),
    scopes: readScopes(findClaim(claims, config.scopeClaim)),
    actsForItself: actsForItself(claims),
  };
}

function refuseAhead(name: string, time: unknown): void {
  if (time === undefined) return;
  if (!isFiniteNumber(time)) throw new TokenRefusedError(`${name} is not a finite number`);
  if (time > Date.now() / 1000 + MAX_AHEAD_SECONDS) throw new TokenRefusedError(`${name} lies ahead`);
}

/**
 * An ID token says to an application who has signed in; it does not permit calls. Cognito and Keycloak mark theirs with
 * these claims.
 */
function refuseIdentityTokens({ token_use: use, typ }: Record<string, unknown>): void {
  if ((use !== undefined && use !== 'access') || typ === 'ID') throw new TokenRefusedError('the token is an ID token');
}

/** An unverified email address may belong to somebody else. */
function readUserId(claims: Record<string, unknown>, name: string): string | undefined {
  const id = claims[name];
  if (id === undefined) return undefined;
  if (!isText(id)) throw new TokenRefusedError(`${name} is not a non-empty string`);
  if (name === 'email' && (claims.email_verified === false || claims.email_verified === 'false')) {
    throw new TokenRefusedError('the email address is not verified');
  }
  return id;
}

/**
 * The claim of this name or, if there is none, the one at the end of a path: `realm_access.roles`. Names on the path
 * can contain dots, as those of clients do: `resource_access.users.example.com.roles`.
 */
function findClaim(claims: unknown, path: string): unknown {
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims)) return undefined;
  if (Object.hasOwn(claims, path)) return (claims as Record<string, unknown>)[path];
  const names = path.split('.');
  for (let count = 1; count < names.length; count++) {
    const name = names.slice(0, count).join('.');
    if (!Object.hasOwn(claims, name)) continue;
    const found = findClaim((claims as Record<string, unknown>)[name], names.slice(count).join('.'));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Scopes as text with spaces (RFC 8693 section 4.2), or as a list. */
function readScopes(scopes: unknown): string[] {
  const list: unknown[] = typeof scopes === 'string' ? scopes.split(' ') : Array.isArray(scopes) ? scopes : [];
  return list.filter(isText);
}

/**
 * If a client acts for itself, RFC 9068 section 2.2 sets `sub` to the client's id, Auth0 sets `gty`, and Entra ID sets
 * `idtyp`.
 */
function actsForItself({ sub, client_id, azp, cid, gty, idtyp }: Record<string, unknown>): boolean {
  return [client_id, azp, cid].includes(sub) || gty === 'client-credentials' || idtyp === 'app';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
