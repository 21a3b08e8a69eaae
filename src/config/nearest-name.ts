/** How near two names are. Which unknown variables are refused: `variables.ts`. */

/** The name with the fewest letters to insert, delete, replace or swap with the next; the first one of several. */
export function nearestName<T extends string>(
  name: string,
  names: readonly T[],
): { name: T; distance: number } | undefined {
  const all = names.map((other) => ({ name: other, distance: distanceBetween(name, other) }));
  return all.sort((one, other) => one.distance - other.distance)[0];
}

/** The distance of optimal string alignment. */
function distanceBetween(one: string, other: string): number {
  let twoBefore: number[] = [];
  let before = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const isEqual = one[i - 1] === other[j - 1];
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row[j] = Math.min(
        Number(before[j]) + 1,
        Number(row[j - 1]) + 1,
        Number(before[j - 1]) + (isEqual ? 0 : 1),
        isSwapped ? Number(twoBefore[j - 2]) + 1 : Infinity,
      );
    }
    twoBefore = before;
    before = row;
  }
  return Number(before[other.length]);
}
