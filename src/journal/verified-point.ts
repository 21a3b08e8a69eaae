import { createHash } from 'node:crypto';
import type { ChainPlace } from './hash-chain';

const PREFIX = 'journal-point-1.';
const PLACE_BYTES = 2 + 8 + 32;
const CHECK_BYTES = 4;

/** The ends of the chains at a verification, as text for an operator to keep. */
export function writePoint(places: readonly ChainPlace[]): string {
  const bytes = Buffer.concat(places.map(toBytes));
  return PREFIX + Buffer.concat([bytes, checkOf(bytes)]).toString('base64url');
}

/** Whether a text contains a point, even one that was truncated. */
export function mentionsPoint(text: string): boolean {
  return text.includes(PREFIX);
}

/** Finds the point in a text, such as the output of `journal verify`. Undefined if there is none, or if it was truncated. */
export function readPoint(text: string): ChainPlace[] | undefined {
  const encoded = /journal-point-1\.([\w-]+)/.exec(text)?.[1];
  if (encoded === undefined) return undefined;
  const all = Buffer.from(encoded, 'base64url');
  const bytes = all.subarray(0, -CHECK_BYTES);
  if (bytes.length % PLACE_BYTES > 0 || !checkOf(bytes).equals(all.subarray(-CHECK_BYTES))) return undefined;
  return Array.from({ length: bytes.length / PLACE_BYTES }, (_, index) => {
    const place = bytes.subarray(index * PLACE_BYTES, (index + 1) * PLACE_BYTES);
    return { chain: place.readInt16BE(0), number: place.readBigInt64BE(2), hash: place.subarray(10) };
  });
}

function toBytes({ chain, number, hash }: ChainPlace): Buffer {
  const header = Buffer.alloc(10);
  header.writeInt16BE(chain, 0);
  header.writeBigInt64BE(number, 2);
  return Buffer.concat([header, hash]);
}

function checkOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(PREFIX).update(bytes).digest().subarray(0, CHECK_BYTES);
}
