import type { ListFilter } from '../../src/records/list-sets';
import { waysOf } from '../../src/records/list-ways';

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

it('a list gathers a small set of users, and walks the index to find a large one', () => {
  const workspace = set();
  expect(cheapest([workspace, 500])).toMatchObject({ from: workspace, joined: [] });
  expect(cheapest([workspace, 500_000])).toMatchObject({ from: { kind: 'walk' }, joined: [] });
});

it('a list joins a set of medium size with a walk of the index', () => {
  const workspace = set();
  expect(cheapest([workspace, 5_000])).toMatchObject({ from: { kind: 'walk' }, joined: [workspace] });
});

it('a list joins two sets that have few users in common', () => {
  const [workspace, permission] = [set(), set(10)];
  expect(cheapest([workspace, 8_000], [permission, 40_000])).toMatchObject({ from: workspace, joined: [permission] });
});

it('a list tests few users against a set of nearly all users', () => {
  const [workspace, everyone] = [set(), set()];
  expect(cheapest([workspace, 400], [everyone, 980_000])).toMatchObject({ from: workspace, joined: [] });
});

it('a list uses the search index if the search finds few users', () => {
  const everyone = set();
  expect(cheapest([search, 100], [everyone, 980_000])).toMatchObject({ from: search, joined: [] });
  expect(cheapest([search, 50_000], [everyone, 980_000])).toMatchObject({ from: { kind: 'walk' }, joined: [] });
});

it('a list tests the last few records without estimating', () => {
  const workspace = set();
  const sizes = { total: MILLION, rest: 20, sizes: new Map<ListFilter, number>(), matches: MILLION };
  expect(waysOf([workspace], sizes, [], PAGE)[0]).toMatchObject({ from: { kind: 'walk' }, joined: [] });
});
