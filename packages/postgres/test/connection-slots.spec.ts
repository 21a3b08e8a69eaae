import { setImmediate } from 'node:timers/promises';
import { ConnectionSlots, DatabaseAwayError, type Slot } from '../src/index';

/** Requests of callers `a`, `b` and `c` at so many connections. */
class Trial {
  readonly pools = {
    bounds: { queue: 500, queueMs: 60_000 },
    heartbeat: { refusal: undefined as Error | undefined },
    use: { waiting: 0 },
    refused: 0,
  };
  readonly slots: ConnectionSlots;
  private readonly held: Record<string, Slot[]> = { a: [], b: [], c: [] };
  private readonly events: string[] = [];

  constructor(connections: number, bounds: { queue?: number; queueMs?: number } = {}) {
    Object.assign(this.pools.bounds, bounds);
    this.slots = new ConnectionSlots(connections, this.pools);
  }

  /** One request for each letter. @returns whose requests began, and (with a minus) whose were refused */
  async begin(callers: string): Promise<string> {
    for (const caller of callers) void this.request(caller);
    return this.news();
  }

  /** The oldest running request of each of these callers ends. */
  async end(callers: string): Promise<string> {
    for (const caller of callers) this.held[caller]?.shift()?.release();
    return this.news();
  }

  async news(): Promise<string> {
    await setImmediate();
    return this.events.splice(0).join(' ');
  }

  private async request(caller: string): Promise<void> {
    try {
      this.held[caller]?.push(await this.slots.acquire(caller));
      this.events.push(caller);
    } catch (error) {
      expect(error).toBeInstanceOf(DatabaseAwayError);
      this.events.push(`-${caller}`);
    }
  }
}

it('a caller who is alone gets all connections but one', async () => {
  const trial = new Trial(4);
  expect(await trial.begin('aaaaa')).toBe('a a a');
  expect(await trial.end('a')).toBe('a');
  expect(await trial.end('aaaa')).toBe('a');
});

it('a caller gets at most half of the connections while others wait, and more again when none does', async () => {
  const trial = new Trial(4);
  expect(await trial.begin('aaaaaa')).toBe('a a a');
  expect(await trial.begin('bbb')).toBe('b');
  // The caller with three waits until the other one has half, too.
  expect(await trial.end('a')).toBe('b');
  expect(await trial.end('a')).toBe('a');
  expect(await trial.end('b')).toBe('b');
  expect(await trial.end('bb')).toBe('a');
});

it('of two callers who wait, the one below half of the connections is served, even if the other one waits for longer', async () => {
  const trial = new Trial(5);
  expect(await trial.begin('aaaaaabbb')).toBe('a a a a b');
  expect(await trial.end('aa')).toBe('b');
  expect(await trial.end('b')).toBe('b');
});

it('a new caller does not wait for those who have half of the connections each, if their number is odd', async () => {
  const trial = new Trial(5);
  expect(await trial.begin('aaabbb')).toBe('a a a b b');
  expect(await trial.end('a')).toBe('');
  expect(await trial.begin('c')).toBe('c');
});

it('callers use a single connection in turn', async () => {
  const trial = new Trial(1);
  await trial.begin('a');
  await trial.begin('aaabbcc');
  const served: string[] = [];
  for (let running = ['a']; running.length > 0 && served.length < 20;) {
    running = (await trial.end(running[0] as string)).split(' ').filter(Boolean);
    served.push(...running);
  }
  expect(served.join('')).toBe('abcabca');
});

it('one caller in a crowd of requests of another waits for one slot of the other at most', async () => {
  const trial = new Trial(2);
  await trial.begin('a'.repeat(400));
  expect(await trial.begin('b')).toBe('b');
  await trial.begin('bb');
  expect(await trial.end('b')).toBe('b');
  expect(trial.slots.waiting).toBe(400);
});

describe('a full queue', () => {
  it('refuses the newest request of the caller who has most of it', async () => {
    const trial = new Trial(1, { queue: 4 });
    expect(await trial.begin('aaaaa')).toBe('a');
    expect(await trial.begin('a')).toBe('-a');
    expect(await trial.begin('b')).toBe('-a');
    expect(await trial.begin('bc')).toBe('-a -a');
    expect(await trial.begin('c')).toBe('-c');
    expect(trial.pools.refused).toBe(5);
    expect(await trial.end('a')).toBe('a');
    expect(await trial.end('a')).toBe('b');
    expect(await trial.end('b')).toBe('c');
    expect(await trial.end('c')).toBe('b');
  });

  it('of no length refuses whatever would have to wait', async () => {
    const trial = new Trial(2, { queue: 0 });
    expect(await trial.begin('aba')).toBe('a b -a');
  });
});

it('a request waits no longer than the limit, and then leaves its place to others', async () => {
  const trial = new Trial(4, { queueMs: 100 });
  await trial.begin('aaab');
  await expect(trial.slots.acquire('b')).rejects.toBeInstanceOf(DatabaseAwayError);
  expect([trial.pools.refused, trial.slots.waiting]).toEqual([1, 0]);
  expect(await trial.end('ab')).toBe('');
  expect(await trial.begin('a')).toBe('a');
});

it('nobody waits while the database is away', async () => {
  const trial = new Trial(1);
  trial.pools.heartbeat.refusal = new DatabaseAwayError('the database does not answer');
  expect(await trial.begin('ab')).toBe('a -b');
});

it('a slot is released once', async () => {
  const trial = new Trial(1);
  const slot = await trial.slots.acquire('a');
  slot.release();
  slot.release();
  expect(await trial.begin('ab')).toBe('a');
});
