export interface Link<T> {
  readonly value: T;
  /** Takes the value out of the list. A second call has no effect. */
  remove(): void;
}

/**
 * Values in the order in which they were added, for what belongs to requests in progress.
 *
 * A `Set` would keep finished requests in memory. V8 replaces the table of a set once it has deleted entries; the old
 * table refers to the new one and still to its entries. As soon as one of these tables is in the old generation, each
 * later one follows, with all requests in it, until the next full garbage collection. With 32 concurrent status changes,
 * a tenth of the memory that requests allocated was copied to the old generation.
 */
export class LinkedList<T> {
  private readonly end = new ListLink<T>(this);
  size = 0;

  get first(): T | undefined {
    const { next } = this.end;
    return next === this.end ? undefined : next.value;
  }

  add(value: T): Link<T> {
    const link = new ListLink<T>(this, value);
    link.insertBefore(this.end);
    return link;
  }

  /** The current values. Adding and removing values does not change the result. */
  values(): T[] {
    const values: T[] = [];
    for (let link = this.end.next; link !== this.end; link = link.next) values.push(link.value);
    return values;
  }
}

class ListLink<T> implements Link<T> {
  previous: ListLink<T> = this;
  next: ListLink<T> = this;

  constructor(
    private readonly list: LinkedList<T>,
    readonly value: T = undefined as T,
  ) {}

  insertBefore(next: ListLink<T>): void {
    this.next = next;
    this.previous = next.previous;
    next.previous.next = this;
    next.previous = this;
    this.list.size += 1;
  }

  remove(): void {
    if (this.next === this) return;
    this.previous.next = this.next;
    this.next.previous = this.previous;
    // A removed link must not keep its neighbours in memory.
    this.previous = this.next = this;
    this.list.size -= 1;
  }
}
