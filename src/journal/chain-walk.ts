/** A stored change, and the hash that results from its content and the change before it. */
export interface LinkRow {
  number: string;
  moment: string;
  /** The id of its first entry. */
  id: string;
  entries: number;
  hash: Buffer;
  expected: Buffer;
  /** Whether searches by each of its users and workspaces find it. */
  listed: boolean;
  /** The number of its rows in `journal_subjects`. */
  listings: number;
}

/** A place in a chain: a change by its number, and its hash. */
export interface ChainPlace {
  chain: number;
  number: bigint;
  hash: Buffer;
}

export interface JournalBreak {
  /** The broken entry, or the first entry of its change. If a change is missing, the last entry before it in its chain, if any. */
  entry?: string;
  /** A sentence that describes the break. */
  what: string;
}

/** Follows one chain of the journal from a trusted place, and stops at the first break. */
export class ChainWalk {
  entries = 0;
  changes = 0;
  listings = 0;
  firstBreak: JournalBreak | undefined;
  /** The place that it has reached. */
  end: ChainPlace & { entry?: string };

  constructor(start: ChainPlace) {
    this.end = start;
  }

  /** Pass rows in the order of their numbers. */
  visit(row: LinkRow): void {
    const { chain, number } = this.end;
    const expected = number + 1n;
    if (BigInt(row.number) > expected) this.breakAfter(`change ${expected} of chain ${chain} is missing`);
    else if (BigInt(row.number) < expected) this.breakAt(row, `chain ${chain} has no place for it`);
    else if (!row.hash.equals(row.expected)) this.breakAt(row, 'it does not fit its hash');
    else if (!row.listed) this.breakAt(row, 'it is not listed under each of its users and workspaces');
    this.entries += row.entries;
    this.changes++;
    this.listings += row.listings;
    this.end = { chain, number: BigInt(row.number), hash: row.hash, entry: lastEntry(row) };
  }

  /** Call this last. Without the check of its head, a chain that has lost its newest changes would look intact. */
  finish(head: ChainPlace): void {
    const { chain, number, hash } = this.end;
    const missing = head.number - number;
    if (missing > 0n) this.breakAfter(`chain ${chain} has lost its newest changes, ${missing} in number`);
    else if (missing < 0n) this.breakAfter(`the head of chain ${chain} is ${-missing} behind`);
    else if (!head.hash.equals(hash)) this.breakAfter(`chain ${chain} ends in another change than its head says`);
  }

  private breakAt(row: LinkRow, what: string): void {
    const last = lastEntry(row);
    const named = row.entries > 1 ? `The change with the entries ${row.id} to ${last}` : `Entry ${row.id}`;
    this.firstBreak ??= { entry: row.id, what: `${named} is broken: ${what}.` };
  }

  private breakAfter(what: string): void {
    const { entry } = this.end;
    const where = entry === undefined ? '' : ` after entry ${entry}`;
    this.firstBreak ??= { entry, what: `The journal is broken${where}: ${what}.` };
  }
}

function lastEntry({ id, entries }: LinkRow): string {
  return String(BigInt(id) + BigInt(entries - 1));
}
