/**
 * The first indexes, at most `most`, at which a list has what is sought. A body of 16 MiB can have millions of wrong
 * elements, and an object for each would take gigabytes.
 */
export function firstIndexes<T>(list: readonly T[], isSought: (element: T) => boolean, most: number): number[] {
  const indexes: number[] = [];
  for (const [index, element] of list.entries()) {
    if (indexes.length === most) break;
    if (isSought(element)) indexes.push(index);
  }
  return indexes;
}
