import type { JournalPosition } from './journal-search';
import { MAX_MOMENT } from './moment';

const FORM = /^(0|[1-9]\d{0,18})\.(0|[1-9]\d{0,4})$/;
const MAX_POSITION = 2 ** 15 - 1;

/** The end of a page of the journal, as opaque text. */
export class JournalCursor implements JournalPosition {
  constructor(
    readonly moment: string,
    readonly position: number,
  ) {}

  static write({ moment, position }: JournalPosition): string {
    return Buffer.from(`${moment}.${position}`).toString('base64url');
  }

  /** Undefined for a text that was never a cursor. */
  static read(text: string): JournalCursor | undefined {
    const [, moment, position] = FORM.exec(Buffer.from(text, 'base64url').toString()) ?? [];
    if (moment === undefined || BigInt(moment) > MAX_MOMENT || Number(position) > MAX_POSITION) return undefined;
    const cursor = new JournalCursor(moment, Number(position));
    return JournalCursor.write(cursor) === text ? cursor : undefined;
  }
}
