import type { ListFilter } from '../../src/directory/list-sets';
import { waysOf } from '../../src/directory/list-ways';

const MILLION = 1_000_000;
const PAGE = 51;

const set = (cost?: number): ListFilter => ({ kind: 'set', parameters: {}, probe: '', keys: 'SELECT', cost });
const search: ListFilter = { kind: 'search', parameters: {}, probe: '' };

/** The cheapest way to find a page among a million users, if so many match each filter, independently of each other. */
function cheapest(...filters: [ListFilter, number][]) {
  const matches = filters.reduce((rest, [, size]) => (rest * size) / MILLION, MILLION);
  const sizes = { total: MILLION, rest: 300, sizes: new Map(filters), matches };
  const [way] = waysOf([...sizes.sizes.keys()], sizes, [], PAGE);
  return way;
}

it('a small set is gathered, and a large one is found by a walk that tests each key', () => {
  const workspace = set();
  expect(cheapest([workspace, 500])).toMatchObject({ from: workspace, joined: [] });
  expect(cheapest([workspace, 500_000])).toMatchObject({ from: { kind: 'walk' }, joined: [] });
});

it('a set between is joined with a walk', () => {
  const workspace = set();
  expect(cheapest([workspace, 5_000])).toMatchObject({ from: { kind: 'walk' }, joined: [workspace] });
});

it('two sets that have little in common are joined', () => {
  const [workspace, permission] = [set(), set(10)];
  expect(cheapest([workspace, 8_000], [permission, 40_000])).toMatchObject({ from: workspace, joined: [permission] });
});

it('the keys of a few are tested in a set of nearly everyone', () => {
  const [workspace, everyone] = [set(), set()];
  expect(cheapest([workspace, 400], [everyone, 980_000])).toMatchObject({ from: workspace, joined: [] });
});

it('the index of the search is used if the search finds few', () => {
  const everyone = set();
  expect(cheapest([search, 100], [everyone, 980_000])).toMatchObject({ from: search, joined: [] });
  expect(cheapest([search, 50_000], [everyone, 980_000])).toMatchObject({ from: { kind: 'walk' }, joined: [] });
});

it('if few records are left, they are tested without estimates', () => {
  const workspace = set();
  const sizes = { total: MILLION, rest: 20, sizes: new Map<ListFilter, number>(), matches: MILLION };
  expect(waysOf([workspace], sizes, [], PAGE)[0]).toMatchObject({ from: { kind: 'walk' }, joined: [] });
});
