import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'scim_';
const BYTES = 32;
/** Seconds that a token works after a new one was made, at most: a day. */
export const TOKEN_OVERLAP_SECONDS = 86_400;
const TOKEN = /^scim_[\w-]{43}$/;

/** Makes a token of a connection. People and scanners of leaked secrets recognise its prefix. */
export function makeToken(): string {
  return PREFIX + randomBytes(BYTES).toString('base64url');
}

/**
 * The hash by which the connection of a token is found; undefined if the text is no such token. The duration of a
 * search can only reveal something about the hash, and no caller can choose a token for a given hash.
 */
export function hashOf(token: string | null): Buffer | undefined {
  return token !== null && TOKEN.test(token) ? createHash('sha256').update(token).digest() : undefined;
}
