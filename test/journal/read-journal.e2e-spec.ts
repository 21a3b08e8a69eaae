import type { JournalPageDto } from '../../src/journal/dto/journal-page.dto';
import type { Attribution } from '../../src/contract/attribution';
import type { NewEntry } from '../../src/journal/new-entry';
import { Journal } from '../../src/journal/journal';
import { useTestService } from '../support/test-service';
import { type Answer, ask } from '../support/ask';
import { asJudged } from '../support/as-judged';
import { querySealed } from '../support/sealed';

const service = useTestService();
const ids: string[] = [];

const ADA: Attribution = { actor: { kind: 'user', id: 'ada' } };
const DESK: Attribution = {
  actor: { kind: 'service', id: 'help-desk' },
  grantedBy: 'zoe',
  reason: 'Asked for',
  requestId: 'req-7',
};

/** @returns the ids of the entries, in their order */
async function append(act: Attribution, ...entries: NewEntry[]): Promise<string[]> {
  await service.dataSource.transaction((manager) => service.app.get(Journal).append(manager, asJudged(act), entries));
  const rows: { id: string }[] = await querySealed(
    service.dataSource,
    'SELECT id FROM journal_entries ORDER BY id DESC LIMIT $1',
    [entries.length],
  );
  return rows.map(({ id }) => id).reverse();
}

const typeOf = (user: string): NewEntry => ({ action: 'user.type.changed', user, after: { type: 'member' } });
const statusOf = (user: string): NewEntry => ({
  action: 'user.status.changed',
  user,
  before: { status: 'active' },
  after: { status: 'inactive' },
});
const assigned = (user: string, ...workspaces: string[]): NewEntry => ({
  action: 'user.workspaces.assigned',
  user,
  workspaces,
  after: { workspaces, groups: [] },
});

beforeAll(async () => {
  await service.directory.user('ada', { type: 'administrator' });
  await service.directory.user('ben', { type: 'manager' });
  ids.push(...(await append(ADA, assigned('ben', 'atlas', 'borealis'), assigned('cyd', 'atlas'), typeOf('ben'))));
  ids.push(...(await append(DESK, statusOf('cyd'))));
  ids.push(...(await append(ADA, typeOf('cyd'))));
});

function read(query: string, headers: Record<string, string> = {}): Promise<Answer> {
  return ask(`${service.url}/api/journal${query}`, {
    headers: { authorization: `Bearer ${service.tokenOf('ada')}`, ...headers },
  });
}

async function page(query: string): Promise<JournalPageDto> {
  const answer = await read(query);
  expect(answer.status).toBe(200);
  return JSON.parse(answer.text) as JournalPageDto;
}

/** The places of the entries in the order in which they were appended. */
async function found(query: string): Promise<number[]> {
  return (await page(query)).entries.map(({ id }) => ids.indexOf(id));
}

describe('GET /api/journal', () => {
  it('returns all entries, newest first', async () => {
    const { entries, next } = await page('');

    expect(entries.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(next).toBeNull();
  });

  it('returns an entry with all its fields', async () => {
    const { text, headers } = await read('?action=user.status.changed');
    const at = (JSON.parse(text) as JournalPageDto).entries[0]?.at ?? '';

    expect(text).toBe(
      `{"entries":[{"id":"${ids[3]}","at":"${at}","action":"user.status.changed",` +
        '"actor":{"kind":"service","id":"help-desk"},"grantedBy":"zoe","user":"cyd","workspaces":[],' +
        '"before":{"status":"active"},"after":{"status":"inactive"},"reason":"Asked for","requestId":"req-7"}],"next":null}',
    );
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(new Date(at).toISOString()).toBe(at);
  });

  it.each([
    ['?user=ben', [2, 0]],
    ['?user=BEN', []],
    ['?workspace=atlas', [1, 0]],
    ['?workspace=borealis', [0]],
    ['?actor=help-desk', [3]],
    ['?action=user.type.changed', [4, 2]],
    ['?action=user.status.changed&action=user.type.changed', [4, 3, 2]],
    ['?action=user.type.changed&action=user.type.changed', [4, 2]],
    ['?action=webhook.deleted&action=user.status.changed', [3]],
    ['?user=cyd&action=user.status.changed&action=user.workspaces.assigned', [3, 1]],
    ['?workspace=atlas&action=user.workspaces.unassigned&action=user.workspaces.assigned', [1, 0]],
    ['?actor=ada&action=user.status.changed&action=user.workspaces.assigned', [1, 0]],
    ['?user=cyd&action=user.type.changed&actor=ada', [4]],
    ['?user=cyd&workspace=borealis', []],
    ['?user=cyd&workspace=atlas', [1]],
    ['?workspace=atlas&actor=ada&action=user.workspaces.assigned', [1, 0]],
    ['?workspace=atlas&actor=help-desk', []],
    ['?workspace=atlas&from=1970-01-01T00:00:00Z&to=9999-12-31T23:59:59Z', [1, 0]],
    ['?workspace=atlas&from=9000-01-01T00:00:00Z', []],
    ['?workspace=atlas&to=1970-01-01T00:00:00Z', []],
    ['?workspace=nowhere', []],
    [`?user=${encodeURIComponent("nobody' OR 'a'='a")}`, []],
    ['?from=1970-01-01T00:00:00Z', [4, 3, 2, 1, 0]],
    ['?from=0000-01-01T00:00:00%2B14:00&to=9999-12-31T23:59:59.999-14:00', [4, 3, 2, 1, 0]],
    ['?to=2020-02-29T00:00Z', []],
    ['?from=9000-01-01T00:00:00Z', []],
    ['?from=9000-01-01T00:00:00Z&to=1970-01-01T00:00:00Z', []],
  ])('returns the matching entries for the filter %s', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  it('includes the moment of from, and excludes the moment of to', async () => {
    const { entries } = await page('?action=user.status.changed');
    const at = entries[0]?.at ?? '';
    const [whole, milliseconds] = at.split('.') as [string, string];
    const finer = `${whole}.${milliseconds.slice(0, 3)}000001Z`;

    const fits = async (query: string) => (await found(query)).includes(3);
    expect(await fits(`?from=${at}`)).toBe(true);
    expect(await fits(`?to=${at}`)).toBe(false);
    expect(await fits(`?from=${finer}`)).toBe(false);
    expect(await fits(`?to=${finer}`)).toBe(true);
  });

  it('returns pages that do not change while entries arrive', async () => {
    const first = await page('?limit=2');
    const arrived = await append(ADA, typeOf('dee'), typeOf('eve'));
    const second = await page(`?limit=2&cursor=${first.next}`);
    const third = await page(`?limit=2&cursor=${second.next}`);

    const told = [first, second, third].map(({ entries }) => entries.map(({ id }) => ids.indexOf(id)));
    expect(told).toEqual([[4, 3], [2, 1], [0]]);
    expect(third.next).toBeNull();
    expect((await page('?limit=2')).entries.map(({ id }) => id)).toEqual(arrived.toReversed());
  });

  it('has no next page after the last entry', async () => {
    const { entries, next } = await page('?user=ben&limit=2');
    expect([entries.length, next]).toEqual([2, null]);
  });

  it.each(['user=flo', 'workspace=cosmos', 'actor=mill'])(
    'splits entries of the same moment over pages without loss: %s',
    async (filter) => {
      const together = Array.from({ length: 7 }, () => assigned('flo', 'cosmos'));
      for (let moment = 0; moment < 2; moment++) await append({ actor: { kind: 'system', id: 'mill' } }, ...together);
      const all = (await page(`?${filter}&limit=200`)).entries.map(({ id }) => id);
      const told: string[] = [];
      for (let cursor = ''; ;) {
        const { entries, next } = await page(`?${filter}&limit=3${cursor}`);
        told.push(...entries.map(({ id }) => id));
        if (next === null) break;
        cursor = `&cursor=${next}`;
      }
      expect(told).toEqual(all);
      expect(all).toEqual([...new Set(all)].sort((a, b) => Number(b) - Number(a)));
      expect(all.length).toBeGreaterThanOrEqual(14);
    },
  );
});

describe('GET /api/journal with a value that can be no id', () => {
  it.each(['%00', 'ada%00', 'x'.repeat(256)])('finds nothing: %.10s', async (value) => {
    for (const name of ['user', 'workspace', 'actor'])
      expect({ name, ...(await page(`?${name}=${value}`)) }).toEqual({ name, entries: [], next: null });
  });

  it.each(['s'.repeat(300), 'report\0'])('finds what a service with such an id has done: %.7s', async (id) => {
    const [entry] = await append({ actor: { kind: 'service', id } }, statusOf('cyd'));
    const { entries } = await page(`?actor=${encodeURIComponent(id)}`);
    expect(entries.map((one) => one.id)).toEqual([entry]);
  });
});

describe('GET /api/journal refuses', () => {
  it('no cursor of the journal, not even one beyond its first or last entry', async () => {
    expect((await page('?cursor=1')).entries).toEqual([]);
    expect((await page('?cursor=9007199254740991')).entries).toEqual((await page('')).entries);
  });

  it('the first of several invalid parameters, in the language and format of the caller', async () => {
    const answer = await read('?limit=x&action=x', { 'accept-language': 'de', accept: 'application/problem+json' });

    expect(JSON.parse(answer.text)).toEqual({
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'Bitte geben Sie für den Abfrageparameter action einen gültigen Wert an.',
      code: 'query.invalid',
    });
    expect(answer.headers.get('content-language')).toBe('de');
  });

  it('a caller who is not an administrator, before it checks the query', async () => {
    const url = `${service.url}/api/journal?limit=x`;
    const stranger = await ask(url);
    const manager = await ask(url, { headers: { authorization: `Bearer ${service.tokenOf('ben')}` } });

    expect([stranger.status, stranger.text]).toEqual([
      401,
      '{"status":401,"message":"Please sign in with a valid token."}',
    ]);
    expect([manager.status, manager.text]).toEqual([
      403,
      '{"status":403,"message":"Only an administrator can do this."}',
    ]);
  });
});
