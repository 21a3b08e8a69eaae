import { comparisonsIn, parseFilter } from '../src/filter';

it.each<[filter: string, node: object]>([
  ['userName eq "ada"', { op: 'eq', attribute: 'userName', value: 'ada' }],
  ['Title PR', { op: 'pr', attribute: 'Title' }],
  ['active eq True', { op: 'eq', attribute: 'active', value: true }],
  ['active eq 1', { op: 'eq', attribute: 'active', value: 1 }],
  ['title eq null', { op: 'eq', attribute: 'title', value: null }],
  ['title eq "a\\"b\\\\c\\u0064"', { op: 'eq', attribute: 'title', value: 'a"b\\cd' }],
  ['title eq "DOMAIN\\user"', { op: 'eq', attribute: 'title', value: 'DOMAIN\\user' }],
  ['not (title pr)', { op: 'not', node: { op: 'pr', attribute: 'title' } }],
  [
    'a pr or b pr and c pr',
    {
      op: 'or',
      nodes: [
        { op: 'pr', attribute: 'a' },
        {
          op: 'and',
          nodes: [
            { op: 'pr', attribute: 'b' },
            { op: 'pr', attribute: 'c' },
          ],
        },
      ],
    },
  ],
  // A part after brackets is of the value that they select.
  [
    'emails[type eq "work"].value sw "a"',
    {
      op: '[]',
      attribute: 'emails',
      node: {
        op: 'and',
        nodes: [
          { op: 'eq', attribute: 'type', value: 'work' },
          { op: 'sw', attribute: 'value', value: 'a' },
        ],
      },
    },
  ],
  ['urn:x:2.0:User:employeeNumber eq "42"', { op: 'eq', attribute: 'urn:x:2.0:User:employeeNumber', value: '42' }],
])('%s', (filter, node) => {
  expect(parseFilter(filter)).toEqual(node);
});

it.each([
  '',
  'title',
  'title eq',
  'title like "x"',
  '(title pr',
  'title pr)',
  'emails[]',
  'a pr not b pr',
  'a pr not (b pr)',
  'not a pr',
  'not not (a pr)',
  'a[not b pr]',
  'not a[b pr]',
  'a pr b pr',
  'a pr "x"',
  'a[b pr] .c pr',
  'a[b pr].c',
  'a[b pr].not pr',
  `title eq "${'x'.repeat(991)}"`,
])('refuses %s, as a filter and in a path', (filter) => {
  expect(() => parseFilter(filter)).toThrow(expect.objectContaining({ kind: 'invalidFilter' }) as Error);
  expect(() => parseFilter(filter, 'invalidPath')).toThrow(expect.objectContaining({ kind: 'invalidPath' }) as Error);
});

it.each<[filter: string, comparisons: number]>([
  ['a pr', 1],
  ['not (a pr or b pr) and c[d pr and not (e pr)].f eq "x"', 5],
])('%s makes %s comparisons', (filter, comparisons) => {
  expect(comparisonsIn(parseFilter(filter))).toBe(comparisons);
});
