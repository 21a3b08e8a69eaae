import { createHash, type Hash } from 'node:crypto';

/** A seal with one of its entries. A seal can have lost its entries, and an entry its seal. */
export interface SealedRow {
  chain: number;
  number: string;
  entries: number | null;
  sealHash: Buffer | null;
  id: string | null;
  position: number | null;
  hash: Buffer | null;
  /** Of what the entry says now. */
  contentHash: Buffer;
}

/** What the newest seal of a chain must be. */
export interface ChainHead {
  chain: number;
  number: string;
  hash: Buffer;
}

export interface JournalBreak {
  /**
   * The broken entry, or the first of its seal when it cannot be told which; where one is missing, the one before it in its
   * chain, if there is one.
   */
  entry?: string;
  /** In a sentence. */
  what: string;
}

interface ChainEnd {
  number: bigint;
  hash: Buffer;
  entry?: string;
}

interface Seal extends ChainEnd {
  chain: number;
  entries: number;
  found: number;
  first?: string;
  /** One of its entries is broken or missing, which says more than that the seal does not fit. */
  broken: boolean;
  hasher: Hash;
}

/** As many as the migration made, numbered from 0. A journal without entries has them too. */
const CHAINS = 64;

const NOTHING: ChainEnd = { number: 0n, hash: Buffer.alloc(0) };

/**
 * Follows the chains of the journal, one after the other, and remembers the first break: the one at the lowest entry id, for
 * ids grow along each chain.
 */
export class ChainWalk {
  entries = 0;
  seals = 0;
  firstBreak: JournalBreak | undefined;
  private readonly ends = new Map<number, ChainEnd>();
  private seal: Seal | undefined;

  get chains(): number {
    return this.ends.size;
  }

  /** Rows come by chain, then number of the seal, then position of the entry. */
  visit(row: SealedRow): void {
    if (this.seal?.chain !== row.chain || this.seal.number !== BigInt(row.number)) {
      this.closeSeal();
      this.openSeal(row);
    }
    if (row.id !== null) this.visitEntry(row, row.id);
  }

  /** To be called last. Without the heads, a chain that has lost its newest seals would look whole, and a lost one unused. */
  finish(heads: readonly ChainHead[]): void {
    this.closeSeal();
    const headless = new Set([...this.ends.keys(), ...Array(CHAINS).keys()]);
    for (const { chain, number, hash } of heads) {
      const end = this.ends.get(chain) ?? NOTHING;
      const missing = BigInt(number) - end.number;
      if (missing > 0n) this.breakAfter(end, `chain ${chain} has lost its newest seals, ${missing} in number`);
      else if (missing < 0n) this.breakAfter(end, `chain ${chain} has more seals than its head knows`);
      else if (!hash.equals(end.hash)) this.breakAfter(end, `chain ${chain} ends in another seal than its head knows`);
      headless.delete(chain);
    }
    for (const chain of headless) {
      const end = this.ends.get(chain);
      // Of a chain that is gone altogether no entry can be named: it is told only when nothing else is broken.
      if (end || !this.firstBreak) this.breakAfter(end, `chain ${chain} has no head`);
    }
  }

  private openSeal({ chain, number, entries, sealHash }: SealedRow): void {
    if (!sealHash || entries === null) return;
    const before = this.ends.get(chain) ?? NOTHING;
    const seal: Seal = {
      chain,
      number: BigInt(number),
      entries,
      hash: sealHash,
      entry: before.entry,
      found: 0,
      broken: false,
      hasher: createHash('sha256'),
    };
    seal.hasher.update('seal/1').update(before.hash).update(sealHeader(seal));
    const expected = before.number + 1n;
    if (seal.number !== expected) this.breakAfter(before, `seal ${expected} of chain ${chain} is missing`);
    this.seal = seal;
  }

  private visitEntry({ chain, number, position, hash, contentHash }: SealedRow, id: string): void {
    const { seal } = this;
    this.entries++;
    if (!seal) return this.breakAt(id, `there is no seal ${number} of chain ${chain}, with which it was sealed`);
    const expected = seal.found + 1;
    const fits = hash?.equals(contentHash);
    const belongs = position !== null && position >= expected && position <= seal.entries;
    if (!fits) this.breakAt(id, 'it does not fit its hash');
    else if (!belongs) this.breakAt(id, `it was not sealed with the others of ${named(seal)}`);
    else if (position > expected) this.breakAfter(seal, `entry ${expected} of ${named(seal)} is missing`);
    seal.broken ||= !fits || !belongs || position > expected;
    seal.hasher.update(hash ?? '');
    seal.found++;
    seal.first ??= id;
    seal.entry = id;
  }

  private closeSeal(): void {
    const { seal } = this;
    if (!seal) return;
    this.seals++;
    const intact = seal.hasher.digest().equals(seal.hash);
    if (seal.found < seal.entries) this.breakAfter(seal, `entry ${seal.found + 1} of ${named(seal)} is missing`);
    else if (!seal.broken && !intact)
      this.breakWithin(seal, `${named(seal)} does not fit its entries and the one before`);
    this.ends.set(seal.chain, seal);
    this.seal = undefined;
  }

  private breakAt(entry: string, what: string): void {
    this.report(entry, `Entry ${entry} is broken: ${what}.`);
  }

  private breakWithin(seal: Seal, what: string): void {
    if (seal.first === undefined) this.breakAfter(seal, what);
    else this.breakAt(seal.first, what);
  }

  private breakAfter(end: ChainEnd | undefined, what: string): void {
    const where = end?.entry === undefined ? 'before its first entry' : `after entry ${end.entry}`;
    this.report(end?.entry, `The journal is broken ${where}: ${what}.`);
  }

  private report(entry: string | undefined, what: string): void {
    if (this.firstBreak && BigInt(entry ?? 0) >= BigInt(this.firstBreak.entry ?? 0)) return;
    this.firstBreak = { entry, what };
  }
}

function sealHeader({ chain, number, entries }: Seal): Buffer {
  const header = Buffer.alloc(14);
  header.writeInt16BE(chain, 0);
  header.writeBigInt64BE(number, 2);
  header.writeInt32BE(entries, 10);
  return header;
}

function named({ chain, number }: Seal): string {
  return `seal ${number} of chain ${chain}`;
}
