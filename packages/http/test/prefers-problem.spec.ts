import { PROBLEM_TYPE, prefersProblem } from '../src/prefers-problem';

describe('an Accept header', () => {
  it('is read up to its 50th media range', () => {
    expect(prefersProblem(`${'a/b,'.repeat(49)}${PROBLEM_TYPE}`)).toBe(true);
    expect(prefersProblem(`${'a/b,'.repeat(50)}${PROBLEM_TYPE}`)).toBe(false);
  });

  it('is read up to its 1,000th character, without the range that is cut there', () => {
    const before = `a/${'b'.repeat(997 - PROBLEM_TYPE.length)},`;
    expect(prefersProblem(before + PROBLEM_TYPE)).toBe(true);
    expect(prefersProblem(`${before}${PROBLEM_TYPE},`)).toBe(false);
    expect(prefersProblem(`${PROBLEM_TYPE};q=0.5,${'a'.repeat(960)},${'application/json;q=0.9'}`)).toBe(true);
  });
});
