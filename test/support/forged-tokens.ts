import { createHmac } from 'node:crypto';

/** The content of a part of a token: a value to write as JSON, or literal text, which need not be JSON. */
export type Part = { text: string } | object | string | number | boolean | null;

export const encode = (part: Part): string =>
  Buffer.from(isText(part) ? part.text : JSON.stringify(part)).toString('base64url');

function isText(part: Part): part is { text: string } {
  return typeof part === 'object' && part !== null && Object.keys(part).join() === 'text';
}

export const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

/** A token with a valid HMAC signature over an arbitrary header and payload, which no ordinary library would sign. */
export function handmade(
  secret: string | Buffer,
  payload: Part,
  header: Part = { alg: 'HS256', typ: 'at+jwt' },
  hash: 'sha256' | 'sha384' | 'sha512' = 'sha256',
): string {
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`;
}
