import { withoutStackTraces } from '../../src/auth/jwt.strategy';
import { ExpectedError } from '../../src/contract/expected-error';

class Refusal extends ExpectedError {}

const frames = ({ stack = '' }: Error): number => stack.split('\n    at ').length - 1;

describe('stack traces', () => {
  it('are not recorded for expected errors', () => {
    expect(frames(new Refusal('refused'))).toBe(0);
    expect(frames(new Error('a fault'))).toBeGreaterThan(0);
  });

  it.each([
    ['ends', () => undefined],
    [
      'throws',
      () => {
        throw new Refusal('refused');
      },
    ],
  ])('are recorded again when the work without them %s', (_, end) => {
    let expected: Error | undefined;
    const work = () => {
      expected = new Error('reported by a library');
      end();
    };
    try {
      withoutStackTraces(work);
    } catch (error) {
      expect(error).toBeInstanceOf(Refusal);
    }
    expect(frames(expected!)).toBe(0);
    expect(frames(new Error('a fault'))).toBeGreaterThan(0);
  });
});
