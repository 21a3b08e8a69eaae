import { createHash } from 'node:crypto';

/**
 * The position of a follower. The changes of a chain are committed in the order of their numbers, so nothing can appear
 * behind a number, however long a transaction takes; writers to other chains do not wait for it.
 */
export interface FeedPosition {
  /** The number of the last change that was delivered completely, for each chain that has any. */
  delivered: ReadonlyMap<number, bigint>;
  /** The next change of its chain, if some of its entries have been delivered. */
  partial?: { chain: number; entries: number };
}

/** The lower of the two positions, for each chain. */
export function earliest(one: FeedPosition, other: FeedPosition): FeedPosition {
  const both = [...one.delivered].filter(([chain]) => other.delivered.has(chain));
  return {
    delivered: new Map(both.map(([chain, number]) => [chain, lower(number, other.delivered.get(chain) ?? 0n)])),
  };
}

/** The higher of the two positions, for each chain. */
export function furthest(one: FeedPosition, other: FeedPosition): FeedPosition {
  const delivered = new Map(one.delivered);
  for (const [chain, number] of other.delivered)
    if (number > (delivered.get(chain) ?? 0n)) delivered.set(chain, number);
  return { delivered };
}

function lower(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

const VERSION = 1;
const CHECK_BYTES = 4;
/** The size of a 64-bit number in bytes. */
const MAX_VARINT = 10;
const MAX_CHAIN = 63;
/** Far above what any chain can reach, with room for 64-bit arithmetic. */
const MAX_NUMBER = 2n ** 62n;
const MAX_ENTRIES = 1_000;

/** A position as opaque text. */
export class FeedCursor implements FeedPosition {
  constructor(
    readonly delivered: FeedPosition['delivered'],
    readonly partial?: FeedPosition['partial'],
  ) {}

  static write({ delivered, partial }: FeedPosition): string {
    const numbers = [...delivered].sort(([one], [other]) => one - other);
    const bytes = Buffer.from([
      VERSION,
      ...varint(BigInt(partial?.entries ?? 0)),
      ...(partial ? [partial.chain] : []),
      ...numbers.flatMap(([chain, number]) => [chain, ...varint(number)]),
    ]);
    return Buffer.concat([bytes, checkOf(bytes)]).toString('base64url');
  }

  /** Undefined for a text that was never a `next`. */
  static read(text: string): FeedCursor | undefined {
    const all = Buffer.from(text, 'base64url');
    const bytes = all.subarray(0, -CHECK_BYTES);
    if (bytes[0] !== VERSION || !checkOf(bytes).equals(all.subarray(-CHECK_BYTES))) return undefined;
    const cursor = parse([...bytes.subarray(1)]);
    return cursor && FeedCursor.write(cursor) === text ? cursor : undefined;
  }
}

function parse(bytes: number[]): FeedCursor | undefined {
  const delivered = new Map<number, bigint>();
  const entries = Number(takeVarint(bytes));
  const chain = entries > 0 ? bytes.shift() : undefined;
  while (bytes.length > 0) delivered.set(bytes.shift() ?? 0, takeVarint(bytes));
  const chains = [...delivered.keys(), chain ?? 0];
  const fits =
    entries <= MAX_ENTRIES &&
    chains.every((each) => each <= MAX_CHAIN) &&
    [...delivered.values()].every((number) => number <= MAX_NUMBER);
  return fits ? new FeedCursor(delivered, chain === undefined ? undefined : { chain, entries }) : undefined;
}

/** Seven bits in each byte, lowest first; the eighth bit says that more bytes follow. */
function varint(value: bigint): number[] {
  return value < 128n ? [Number(value)] : [Number(value & 127n) | 128, ...varint(value >> 7n)];
}

function takeVarint(bytes: number[]): bigint {
  const length = bytes.findIndex((byte) => byte < 128) + 1;
  const taken = bytes.splice(0, length || bytes.length).slice(0, MAX_VARINT);
  return taken.reduceRight((value, byte) => (value << 7n) | BigInt(byte & 127), 0n);
}

function checkOf(bytes: Buffer): Buffer {
  return createHash('sha256').update('journal feed').update(bytes).digest().subarray(0, CHECK_BYTES);
}
