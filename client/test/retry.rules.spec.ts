import { pauseBefore } from '../src/calls/retry.rules.ts';

it.each([
  [1, undefined, 0, 50],
  [1, undefined, 1, 100],
  [3, undefined, 1, 400],
  [20, undefined, 1, 5_000],
  [2, 0, 0, 100],
  [1, 60_000, 1, 60_100],
  [1, 60_001, 1, undefined],
])(
  'the pause after failure %i, if the service asks for %s ms, and chance says %d, is %s ms',
  (count, asked, chance, ms) => {
    expect(pauseBefore(count, asked, () => chance)).toBe(ms);
  },
);
