import { ExpectedError } from '../../src/contract/expected-error';

class Refusal extends ExpectedError {}

const frames = ({ stack = '' }: Error): number => stack.split('\n    at ').length - 1;

describe('stack traces', () => {
  it('are not recorded for expected errors', () => {
    expect(frames(new Refusal('refused'))).toBe(0);
    expect(frames(new Error('a fault'))).toBeGreaterThan(0);
  });
});
