import { type ListFilter, type ListSizes, NEXT } from './list-sets';

/** Microseconds, measured with a million users. */
const COSTS = {
  /** One key that a walk reads in the index of the order. */
  walked: 0.1,
  /** One key of a set that is read as a whole and joined. */
  joined: 0.08,
  /** One key that a join looks up among those of a set. */
  matched: 0.05,
  /** One key that is tested in an index. */
  tested: 2,
  /** One key whose place in the order is looked up. */
  sorted: 1.5,
  /** One record that is read. */
  read: 3,
  /** The index of the search, whatever it finds. */
  searched: 2_000,
};
/** The length of a walk, relative to the estimate: matches are not spread evenly, and a walk that is too short is wasted. */
const MARGIN = { joining: 1.4, testing: 3 };

/** A way to find a page. */
export interface ListWay {
  /** The source of the keys of records: a set, the index of the search, or a walk over the next records in order. */
  from: ListFilter | Walk['from'];
  /** The sets that are read as a whole and joined. Each key is tested by the others. */
  joined: ListFilter[];
  /** Microseconds, estimated. */
  cost: number;
}

export interface Walk extends ListWay {
  from: { kind: 'walk'; length: number };
}

export function isWalk(way: ListWay): way is Walk {
  return way.from.kind === 'walk';
}

/**
 * The ways to find a page, the cheapest first.
 *
 * @param walked the filters for which an index has the matches in the order of the page
 * @param wanted the number of matches that fill the page
 */
export function waysOf(
  filters: readonly ListFilter[],
  sizes: ListSizes,
  walked: readonly ListFilter[],
  wanted: number,
): ListWay[] {
  const ways = filters.flatMap((filter): ListWay[] => {
    const size = sizes.sizes.get(filter);
    if (size === undefined) return [];
    if (filter.kind === 'search') return [way(filter, COSTS.searched + size * COSTS.read, size, sizes, filters, false)];
    return filter.keys ? [way(filter, size * COSTS.joined, size, sizes, filters)] : [];
  });
  const walk = walkOf(filters, sizes, walked, walkLength(sizes, walked, wanted));
  return [...ways, walk].toSorted((one, other) => one.cost - other.cost);
}

/** The number of records that a walk tests until it has found the wanted matches, if they are spread evenly. */
function walkLength({ total, rest, sizes, matches }: ListSizes, walked: readonly ListFilter[], wanted: number): number {
  if (rest < NEXT) return NEXT;
  const walkable = walked.reduce((all, filter) => Math.min(all, sizes.get(filter) ?? total), total);
  return Math.min((wanted * walkable) / Math.max(matches, 1), walkable + 1);
}

/** The cheaper of two walks: one tests records one by one until the page is full, the other joins all of them with sets. */
export function walkOf(
  filters: readonly ListFilter[],
  sizes: ListSizes,
  walked: readonly ListFilter[],
  length: number,
): Walk {
  const tests = filters.filter((filter) => !walked.includes(filter));
  const each = tests.some(({ kind }) => kind === 'set') ? COSTS.walked : COSTS.read;
  const far = { kind: 'walk', length: Math.ceil(MARGIN.testing * length) } as const;
  const near = { kind: 'walk', length: Math.ceil(MARGIN.joining * length) } as const;
  const testing = way(far, length * each, length, sizes, tests, false);
  const joining = way(near, near.length * COSTS.walked, near.length, sizes, tests);
  return joining.cost < testing.cost ? joining : testing;
}

function way<From extends ListWay['from']>(
  from: From,
  first: number,
  found: number,
  { total, sizes }: ListSizes,
  filters: readonly ListFilter[],
  canJoin = true,
): ListWay & { from: From } {
  let [cost, rest] = [first, found];
  const joined: ListFilter[] = [];
  const others = filters.filter((filter) => filter !== from && filter.kind !== 'search');
  const sizeOf = (filter: ListFilter) => sizes.get(filter) ?? Infinity;
  for (const filter of others.toSorted((one, other) => sizeOf(one) - sizeOf(other))) {
    const join = filter.keys && canJoin ? COSTS.matched * rest + COSTS.joined * sizeOf(filter) : Infinity;
    const probe = rest * (filter.cost ?? COSTS.tested);
    if (join < probe) joined.push(filter);
    cost += Math.min(join, probe);
    rest *= Math.min(1, sizeOf(filter) / total);
  }
  return {
    from,
    joined,
    cost: cost + rest * (filters.some(({ kind }) => kind === 'search') ? COSTS.read : COSTS.sorted),
  };
}
