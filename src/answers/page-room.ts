import { LIMITS } from '../contract/limits';

/** Room for what surrounds the items of a page, such as its cursor. */
const ENVELOPE_BYTES = 8_192;

/** The bytes of the items of a page. */
export const PAGE_BYTES = LIMITS.pageBytes - ENVELOPE_BYTES;

/**
 * What still fits on a page: items up to its limit, and up to 4 MiB. The first item always fits, so that every page
 * gets further.
 */
export class PageRoom {
  private items = 0;
  private bytes = 0;

  constructor(private readonly limit: number) {}

  get isFull(): boolean {
    return this.items >= this.limit || this.bytes >= PAGE_BYTES;
  }

  /** Takes the room for an item of this size. @returns false if it does not fit, and then nothing fits any more */
  take(bytes: number): boolean {
    const fits = !this.isFull && (this.items === 0 || this.bytes + bytes <= PAGE_BYTES);
    this.items += fits ? 1 : 0;
    this.bytes = fits ? this.bytes + bytes : PAGE_BYTES;
    return fits;
  }
}
