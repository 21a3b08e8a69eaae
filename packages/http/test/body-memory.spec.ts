import { BodyMemory, type HeldBody } from '../src/body-memory';
import type { HttpOptions } from '../src/options';

const MIB = 1024 * 1024;

let memory: BodyMemory;
let givenUp: string[];

beforeEach(() => {
  memory = new BodyMemory({ httpBounds: { bodyMemoryBytes: 16 * MIB } } as HttpOptions);
  givenUp = [];
});

function body(name: string): HeldBody {
  return { bytes: 0, giveUp: () => givenUp.push(name) };
}

describe('BodyMemory', () => {
  it('gives up the oldest incomplete bodies, and no more than needed', () => {
    for (const name of ['a', 'b', 'c']) memory.take(body(name), 5 * MIB);
    expect(givenUp).toEqual([]);
    memory.take(body('d'), 5 * MIB);
    expect(givenUp).toEqual(['a']);
    expect(memory.held).toBe(15 * MIB);
    memory.take(body('e'), 11 * MIB);
    expect(givenUp).toEqual(['a', 'b', 'c']);
    expect(memory.held).toBe(16 * MIB);
  });

  it('gives up a growing body if it is itself the oldest', () => {
    const oldest = body('oldest');
    memory.take(oldest, 8 * MIB);
    memory.take(body('newer'), 8 * MIB);
    memory.take(oldest, 1);
    expect(givenUp).toEqual(['oldest']);
    expect(memory.held).toBe(8 * MIB);
  });

  it('never gives up a complete body, but then refuses others', () => {
    const complete = body('complete');
    memory.take(complete, 16 * MIB);
    memory.keep(complete);
    memory.take(body('late'), 1);
    expect(givenUp).toEqual(['late']);
    expect(memory.held).toBe(16 * MIB);
  });

  it('releases the memory of a body only once', () => {
    const [first, second] = [body('first'), body('second')];
    memory.take(first, MIB);
    memory.take(second, MIB);
    memory.release(first);
    memory.release(first);
    expect(memory.held).toBe(MIB);
    memory.take(second, 16 * MIB);
    memory.release(second);
    expect(givenUp).toEqual(['second']);
    expect(memory.held).toBe(0);
  });
});
