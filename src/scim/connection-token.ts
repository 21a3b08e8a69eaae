import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'scim_';
const BYTES = 32;
const TOKEN = /^scim_[\w-]{43}$/;

/** A new token of a connection. It has the prefix so that people, and scanners of leaked secrets, know it. */
export function makeToken(): string {
  return PREFIX + randomBytes(BYTES).toString('base64url');
}

/**
 * The hash by which the connection of a token is found; undefined for what is no such token. The time of a search tells
 * at most about the hash, which nobody can choose a token for.
 */
export function hashOf(token: string | null): Buffer | undefined {
  return token !== null && TOKEN.test(token) ? createHash('sha256').update(token).digest() : undefined;
}
