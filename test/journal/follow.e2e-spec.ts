import type { JournalPageDto } from '../../src/journal/dto/journal-page.dto';
import { ask, UNAUTHENTICATED } from '../support/ask';
import { FollowTrial, FORBIDDEN, usersOf } from './follow-trial';

let trial: FollowTrial;

beforeAll(async () => {
  trial = await FollowTrial.start();
});
afterAll(() => trial.close());

describe('GET /api/journal?after', () => {
  it('starts at the present with after=now, and then returns later entries, oldest first', async () => {
    await trial.toggle('ben');
    const present = await trial.page('?after=now');
    expect(present.entries).toEqual([]);
    await trial.toggle('cyd');
    await trial.toggle('ben');

    const told = await trial.page(`?after=${present.next}`);
    expect(usersOf(told)).toEqual(['cyd', 'ben']);
    expect(told.entries).toEqual(
      (JSON.parse((await trial.read('?limit=2')).text) as JournalPageDto).entries.toReversed(),
    );
    expect(await trial.page(`?after=${told.next}`)).toEqual({ entries: [], next: told.next });
  });

  it('returns the whole journal from its beginning, in pages', async () => {
    const told: (string | null)[] = [];
    let after = 'start';
    for (;;) {
      const { entries, next } = await trial.page(`?after=${after}&limit=1`);
      if (entries.length === 0) break;
      expect(entries).toHaveLength(1);
      told.push(...entries.map(({ id }) => id));
      after = next as string;
    }
    const { entries } = JSON.parse((await trial.read('?limit=200')).text) as JournalPageDto;
    expect(told).toEqual(entries.map(({ id }) => id).reverse());
  });

  it('applies the filters, and skips other entries', async () => {
    const { next } = await trial.page('?after=now');
    await trial.toggle('cyd');
    await trial.toggle('ben');
    const told = await trial.page(`?after=${next}&user=ben&action=user.status.changed&actor=ada`);
    expect(usersOf(told)).toEqual(['ben']);
    expect(usersOf(await trial.page(`?after=${next}&actor=nobody`))).toEqual([]);
    expect(usersOf(await trial.page(`?after=${told.next}`))).toEqual([]);
  });

  it('applies several actions as one filter', async () => {
    const { next } = await trial.page('?after=now');
    await trial.toggle('cyd');
    const found = (actions: string) => trial.page(`?after=${next}${actions}`).then(usersOf);
    expect(await found('&action=user.deleted&action=user.status.changed')).toEqual(['cyd']);
    expect(await found('&action=user.deleted&action=user.created')).toEqual([]);
  });

  it('links to the next page only if more entries can be read at once', async () => {
    const { next } = await trial.page('?after=now&wait=0');
    await trial.toggle('cyd');
    await trial.toggle('ben');
    const link = async (query: string) => (await trial.read(query)).headers.get('link');
    const first = await trial.read(`?limit=1&after=${next}&action=user.status.changed&action=user.deleted`);
    const { entries, next: second } = JSON.parse(first.text) as JournalPageDto;
    const later = `limit=1&after=${second}&action=user.status.changed&action=user.deleted`;
    expect([entries.length, first.headers.get('link')]).toEqual([1, `</api/journal?${later}>; rel="next"`]);
    expect(await link(`?${later}`)).toBeNull();
    expect(await link(`?after=${next}`)).toBeNull();
    expect(await link(`?after=${next}&user=nobody&wait=1`)).toBeNull();
    expect(await link('?after=now')).toBeNull();
    expect(await link('?limit=1')).toMatch(/^<\/api\/journal\?limit=1&cursor=\d+>; rel="next"$/);
    expect(await link('?user=nobody')).toBeNull();
  });

  it('links to the next page after an empty page if it has not yet searched to the end', async () => {
    const { next } = await trial.page('?after=now');
    await trial.toggles('mill', 'ben', 10_500);
    await trial.toggles('ada', 'cyd', 10_500);
    await trial.toggle('ben');
    const first = await trial.read(`?after=${next}&actor=ada&user=ben&wait=25`);
    expect((JSON.parse(first.text) as JournalPageDto).entries).toEqual([]);
    const [, path = ''] = /^<\/api\/journal(\?[^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? [];
    const second = await trial.read(path);
    expect([usersOf(JSON.parse(second.text) as JournalPageDto), second.headers.get('link')]).toEqual([['ben'], null]);
  });
});

describe('GET /api/journal?after refuses', () => {
  it('a cursor of another journal, or of entries that the journal has lost', async () => {
    const { next } = await trial.page('?after=now');
    const [position, hash = ''] = (next as string).split('-');
    const other = hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    for (const cursor of [`${position}-${other}`, `${Number(position) + 1}-${hash}`, `1-${hash}`, `0-${hash}`]) {
      expect(await trial.read(`?after=${cursor}&wait=25`)).toMatchObject({
        status: 410,
        text: '{"status":410,"message":"This cursor is of another journal."}',
      });
    }
  });

  it('a caller who is not an administrator, before it waits', async () => {
    const stranger = await ask(`${trial.service.url}/api/journal?after=now&wait=25`);
    expect(stranger).toMatchObject({ status: 401, text: UNAUTHENTICATED });
    expect(await trial.read('?after=now&wait=25', { sub: 'max' })).toMatchObject({ status: 403, text: FORBIDDEN });
  });
});
