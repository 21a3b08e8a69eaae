import type { JournalPosition } from './journal-search';

const FORM = /^(\d{1,15})\.(\d{1,19})$/;
const MAX_ID = 2n ** 63n - 1n;

/** Where a page of the journal ended, as text that means nothing to a caller. */
export class JournalCursor implements JournalPosition {
  constructor(
    readonly at: Date,
    readonly id: string,
  ) {}

  static write({ at, id }: JournalPosition): string {
    return Buffer.from(`${at.getTime()}.${id}`).toString('base64url');
  }

  /** Undefined for what no page ended with. */
  static read(text: string): JournalCursor | undefined {
    const [, at, id] = FORM.exec(Buffer.from(text, 'base64url').toString()) ?? [];
    if (at === undefined || id === undefined || BigInt(id) > MAX_ID) return undefined;
    const cursor = new JournalCursor(new Date(Number(at)), id);
    return JournalCursor.write(cursor) === text ? cursor : undefined;
  }
}
