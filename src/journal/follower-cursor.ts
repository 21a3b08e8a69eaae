import type { Head } from './seal-journal';

const FORM = /^(0|[1-9]\d{0,15})-([0-9a-f]{12})$/;

/**
 * The position of a follower: that of the last entry that it has read, and the beginning of the hash of the seal over
 * it. A journal that has lost this entry has another hash there: then `journal-reader.ts` refuses the cursor.
 */
export class FollowerCursor {
  private constructor(
    readonly position: number,
    readonly hash: string,
  ) {}

  static of({ position, hash }: Pick<Head, 'position' | 'hash'>): FollowerCursor {
    return new FollowerCursor(position, hash.slice(0, 12));
  }

  /** Undefined for a text that was never a `next`. */
  static read(text: string): FollowerCursor | undefined {
    const [, position, hash] = FORM.exec(text) ?? [];
    if (hash === undefined || !Number.isSafeInteger(Number(position))) return undefined;
    return new FollowerCursor(Number(position), hash);
  }

  /** @param seal the hash of the first seal that covers the position */
  isOf(seal: string): boolean {
    return seal.startsWith(this.hash);
  }

  /** The `next` of a page. */
  toString(): string {
    return `${this.position}-${this.hash}`;
  }
}
