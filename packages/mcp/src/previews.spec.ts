import { UserAdministrationError } from '@user-administration/client';
import { Previews } from './previews';

const MINUTES = 60_000;

describe('previews', () => {
  let now: number;
  let result: string;
  let keys: string[];
  let fails: Error | undefined;
  let previews: Previews<string>;
  const change = {
    again: () => Promise.resolve(result),
    make(key: string) {
      keys.push(key);
      return fails ? Promise.reject(fails) : Promise.resolve(`made ${result}`);
    },
    entryOf: () => Promise.resolve('7'),
  };

  beforeEach(() => {
    [now, result, keys, fails] = [1_000, 'a', [], undefined];
    previews = new Previews(() => now);
  });

  it('are applied for five minutes, once, and answer the same again', async () => {
    const { preview, expiresAt } = previews.add('a', change);
    expect(new Date(expiresAt).toISOString()).toBe(expiresAt);
    now += 5 * MINUTES - 1;
    const answers = await Promise.all([previews.apply(preview), previews.apply(preview)]);
    result = 'b';
    now += MINUTES;
    answers.push(await previews.apply(preview));
    expect(answers).toEqual([1, 2, 3].map(() => ({ entry: '7', result: 'made a' })));
    expect(keys).toHaveLength(1);
  });

  it('are refused after five minutes, when the directory has changed, and when there are none', async () => {
    const { preview } = previews.add('a', change);
    result = 'b';
    await expect(previews.apply(preview)).rejects.toMatchObject({
      code: 'preview.stale',
      facts: { before: 'a', now: 'b' },
    });
    result = 'a';
    now += 5 * MINUTES;
    await expect(previews.apply(preview)).rejects.toMatchObject({
      code: 'preview.expired',
      message: 'This preview is older than five minutes. Nothing was changed. Make a new one.',
    });
    await expect(previews.apply('nope')).rejects.toMatchObject({ code: 'preview.unknown' });
    await expect(previews.apply('__proto__')).rejects.toMatchObject({ code: 'preview.unknown' });
    expect(keys).toEqual([]);
  });

  it('are sent again with the same key after a lost answer, although the directory has changed by it', async () => {
    const { preview } = previews.add('a', change);
    fails = new UserAdministrationError({
      code: 'client.timed_out',
      detail: 'It took too long.',
      outcomeUnknown: true,
    });
    await expect(previews.apply(preview)).rejects.toBe(fails);
    result = 'nothing left';
    await expect(previews.apply(preview)).rejects.toBe(fails);
    const lost = fails;
    fails = undefined;
    expect(await previews.apply(preview)).toEqual({ entry: '7', result: 'made nothing left' });
    expect(new Set(keys).size).toBe(1);
    expect(keys).toHaveLength(3);

    const { preview: another } = previews.add('a', change);
    result = 'a';
    fails = lost;
    await expect(previews.apply(another)).rejects.toBe(lost);
    now += 5 * MINUTES;
    await expect(previews.apply(another)).rejects.toMatchObject({
      code: 'preview.expired',
      message: expect.stringContaining('look at the history'),
    });
  });

  it('are compared anew after a refusal', async () => {
    const { preview } = previews.add('a', change);
    fails = new UserAdministrationError({ code: 'auth.administrator_required', detail: 'Only an administrator.' });
    await expect(previews.apply(preview)).rejects.toBe(fails);
    result = 'b';
    await expect(previews.apply(preview)).rejects.toMatchObject({ code: 'preview.stale' });
    expect(keys).toHaveLength(1);
  });

  it('are not made twice because their entry could not be read', async () => {
    let isAway = true;
    const { preview } = previews.add('a', {
      ...change,
      entryOf: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve('8')),
    });
    await expect(previews.apply(preview)).rejects.toThrow('away');
    isAway = false;
    now += 5 * MINUTES;
    expect(await previews.apply(preview)).toEqual({ entry: '8', result: 'made a' });
    expect(keys).toHaveLength(1);
  });

  it('are forgotten when there are a thousand newer ones', async () => {
    const { preview } = previews.add('a', change);
    for (let count = 0; count < 1_000; count++) previews.add('a', change);
    await expect(previews.apply(preview)).rejects.toMatchObject({ code: 'preview.unknown' });
  });
});
