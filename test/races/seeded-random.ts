/** Random choices that are the same in every run (mulberry32), so that only the timing of a race varies. */
export class SeededRandom {
  constructor(private state: number) {}

  /** From 0 up to, and without, `bound`. */
  below(bound: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  /** Some of these values, at least one, in any order. */
  some<T>(values: readonly T[]): T[] {
    const left = [...values];
    const count = 1 + this.below(values.length);
    return Array.from({ length: count }, () => left.splice(this.below(left.length), 1)).flat();
  }
}
