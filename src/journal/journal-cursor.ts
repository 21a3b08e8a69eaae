import { FeedCursor, type FeedPosition } from './feed-cursor';
import type { JournalPosition } from './journal-search';

const FORM = /^(0|[1-9]\d{0,18})\.(0|[1-9]\d{0,4})$/;
const MAX_MOMENT = 2n ** 63n - 1n;
const MAX_POSITION = 2 ** 15 - 1;

/** The end of a page of the journal, as opaque text. */
export class JournalCursor implements JournalPosition {
  constructor(
    readonly moment: string,
    readonly position: number,
    readonly seen?: FeedPosition,
  ) {}

  static write({ moment, position, seen }: JournalPosition): string {
    const end = Buffer.from(`${moment}.${position}`).toString('base64url');
    return seen ? `${end}.${FeedCursor.write(seen)}` : end;
  }

  /** Undefined for a text that was never a cursor. */
  static read(text: string): JournalCursor | undefined {
    const [end = '', state] = text.split('.');
    const [, moment, position] = FORM.exec(Buffer.from(end, 'base64url').toString()) ?? [];
    if (moment === undefined || BigInt(moment) > MAX_MOMENT || Number(position) > MAX_POSITION) return undefined;
    const cursor = new JournalCursor(
      moment,
      Number(position),
      state === undefined ? undefined : FeedCursor.read(state),
    );
    return JournalCursor.write(cursor) === text ? cursor : undefined;
  }
}
