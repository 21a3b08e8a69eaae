import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '../support/ask';
import { useTestService } from '../support/test-service';
import { rawRequest } from '../support/raw-http';

const manual = (page: string) => readFileSync(join(__dirname, '../../docs', page), 'utf8');
const USER = '%41"<>^`{|}/b';
/** The ids that take the longest cursors: JSON escapes each of their characters. */
const LONGEST = ['1', '2', '3'].map((last) => '\u0001'.repeat(254) + last);

const service = useTestService();

beforeAll(async () => {
  const { directory } = service;
  await directory.user(USER);
  for (const id of ['why?', 'why? #1', 'why? <2>']) {
    await directory.workspace(id);
    await directory.member(USER, id);
  }
  for (const id of LONGEST) await directory.user(id);
});

function cursorOf(next: string, position: string[]): string {
  const [fingerprint] = JSON.parse(Buffer.from(next, 'base64url').toString()) as [string];
  return Buffer.from(JSON.stringify([fingerprint, ...position])).toString('base64url');
}

/** Sends the target as it is: `fetch` would encode it. */
async function get(target: string) {
  const head = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n`;
  const { headers, text } = await rawRequest(
    service.url,
    `${head}Authorization: Bearer ${service.serviceToken()}\r\n\r\n`,
  );
  return { link: headers.get('link'), body: JSON.parse(text) as { next: string } };
}

/** `next` is the last field. */
const recordsOf = (body: object): unknown => Object.values(body)[0];

describe('Link', () => {
  it.each([
    ['a question mark in the query', '/api/workspaces?search=why?&limit=1', '/api/workspaces?search=why%3F&limit=1'],
    [
      'repeated parameters',
      '/api/workspaces?id=why?&limit=1&id=why?+%231',
      '/api/workspaces?id=why%3F&id=why%3F%20%231&limit=1',
    ],
    ['scheme and host', 'http://elsewhere.example/api/workspaces?limit=1', '/api/workspaces?limit=1'],
    [
      'any path',
      '/api/users/%2541"<>^`{|}%2fb/memberships?limit=1',
      '/api/users/%2541%22%3C%3E%5E%60%7B%7C%7D%2fb/memberships?limit=1',
    ],
  ])('leads to the next page of a target with %s', async (_, target, expected) => {
    const first = await get(target);
    const [, next = ''] = /^<([^<>" ]+)>; rel="next"$/.exec(first.link ?? '') ?? [];
    expect(next).toBe(`${expected}&cursor=${first.body.next}`);
    const second = recordsOf((await get(next)).body);
    expect(second).toEqual(recordsOf((await get(`${target}&cursor=${first.body.next}`)).body));
    expect(second).toHaveLength(1);
  });

  it('fits into the headers that Node reads, for the longest list of ids of the manual', async () => {
    const bytes = Number(/100 ids of up to (\d+) bytes each/.exec(manual('watch.md'))?.[1]);
    const ids = Array.from({ length: 100 }, (_, index) => String(index).padStart(bytes, 'x'));
    for (const id of ids.slice(0, 2)) await service.directory.user(id);
    const query = ids.map((id) => `id=${id}`).join('&');
    expect(query.length).toBeGreaterThan(10_000);
    const headers = { authorization: `Bearer ${service.serviceToken()}` };
    const { status, headers: answered } = await ask(`${service.url}/api/users?${query}&limit=1`, { headers });
    expect([status, answered.get('link')]).toEqual([200, expect.stringContaining(query)]);
  });

  it.each(['large_client_header_buffers 4', 'proxy_buffer_size', 'proxy_buffers 8'])(
    'fits into the buffers of the nginx of the manual: %s',
    (name) => {
      const [, kibibytes] = new RegExp(`^ +${name} (\\d+)k;$`, 'm').exec(manual('proxies.md')) ?? [];
      expect(Number(kibibytes)).toBeGreaterThanOrEqual(16);
    },
  );
});

describe('a cursor', () => {
  it.each(['id', '-createdAt', '-updatedAt', 'displayName'])('of the order %s continues after any id', async (sort) => {
    const path = `/api/users?limit=1&sort=${sort}`;
    const found: string[] = [];
    for (let next: string | null = null, pages = 0; pages === 0 || next !== null; pages++) {
      const { body } = await get(`${path}${next === null ? '' : `&cursor=${next}`}`);
      found.push(...(recordsOf(body) as { id: string }[]).map(({ id }) => id));
      next = body.next as string | null;
    }
    expect(found.filter((id) => LONGEST.includes(id)).sort()).toEqual(LONGEST);
  });

  it.each([
    ['-createdAt', 'why?', '+010000-01-01T00:00:00.000Z'],
    ['-createdAt', 'why?', '0000-01-01T00:00:00.000Z'],
    ['-createdAt', 'why?', '-000001-01-01T00:00:00.000Z'],
    ['-createdAt', 'wh\0y', '2026-01-01T00:00:00.000Z'],
    ['-createdAt', 'why?'],
    ['-updatedAt', 'why?', '1'],
    ['-updatedAt', 'why?'],
    ['displayName', 'why?'],
    ['displayName', 'why?', ''],
    ['displayName', 'why?', '2ada'],
    ['displayName', 'why?', '0\0'],
    ['displayName', 'why?', '0\ud800'],
    ['displayName', 'why?', `0${'x'.repeat(256)}`],
    ['id', 'why?', '2026-01-01T00:00:00.000Z'],
    ['id', 'why?', '0ada'],
  ])('of the order %s with the position %j %s, which no record can have, is refused', async (sort, ...position) => {
    const path = `/api/users?sort=${sort}&limit=1`;
    const { body } = await get(path);
    expect((await get(`${path}&cursor=${cursorOf(body.next, position)}`)).body).toEqual({
      status: 400,
      message: 'Please give a valid value for the query parameter cursor.',
    });
  });
});
