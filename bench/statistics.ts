/** The value below which this share of sorted values lies. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

export interface Spread {
  median: number;
  low: number;
  high: number;
}

/** The middle of some values, and the least and greatest of them. */
export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [left, right] = [sorted[Math.ceil(middle) - 1] ?? NaN, sorted[Math.floor(middle)] ?? NaN];
  return { median: (left + right) / 2, low: sorted[0] ?? NaN, high: sorted.at(-1) ?? NaN };
}

/** What was measured at the same time, one by the other: what disturbed both does not show. */
export function ratios(of: readonly number[], to: readonly number[]): Spread {
  return spread(of.map((value, pair) => value / (to[pair] ?? NaN)));
}
