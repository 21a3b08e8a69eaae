import { LIMITS } from '../contract/limits';

/** Bytes for what surrounds the items of a page, such as its cursor. */
const ENVELOPE_BYTES = 8_192;

/** The bytes of the items of a page. */
export const PAGE_BYTES = LIMITS.pageBytes - ENVELOPE_BYTES;

/** The bytes of brief entries on a page. Each page is made at one go, so a large one keeps other requests waiting. */
export const BRIEF_PAGE_BYTES = 1024 * 1024;

/**
 * The items and bytes that a page of a list can still take: its limit of items, and 4 MiB or less. The first item
 * always fits, so that every page gets further.
 */
export class PageBudget {
  private items = 0;
  private bytes = 0;

  constructor(
    private readonly limit: number,
    private readonly room = PAGE_BYTES,
  ) {}

  get isFull(): boolean {
    return this.items >= this.limit || this.bytes >= this.room;
  }

  /** Adds an item of this size. @returns false if it does not fit, and then nothing fits any more */
  spend(bytes: number): boolean {
    const fits = !this.isFull && (this.items === 0 || this.bytes + bytes <= this.room);
    this.items += fits ? 1 : 0;
    this.bytes = fits ? this.bytes + bytes : this.room;
    return fits;
  }
}
