import type { AccessLineDto } from '../../src/plugins/transfer/dto/access.dto';
import { StatementLog } from '../database/statement-log';
import { type Answer, ask, steadyHeaders } from '../support/ask';
import { startDemoService } from '../support/demo-service';
import type { TestService } from '../support/test-service';

let service: TestService;
beforeAll(async () => {
  service = await startDemoService();
});
afterAll(() => service.close());

const PROBLEM = 'application/problem+json';
const CSV = 'text/csv';
const NDJSON = 'application/x-ndjson';

async function access(query = '', accept?: string, token = service.tokenOf('ada')) {
  const headers = { authorization: `Bearer ${token}`, ...(accept !== undefined && { accept }) };
  const response = await fetch(`${service.url}/api/access${query}`, { headers });
  // `text()` would take the byte order mark off.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer());
  return { status: response.status, text, headers: response.headers, type: response.headers.get('content-type') ?? '' };
}

async function linesOf(query = '') {
  const { text } = await access(query);
  const all = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  return { lines: all.slice(0, -1) as AccessLineDto[], end: all.at(-1) as { end: { lines: number; at: string } } };
}

describe('GET /api/access', () => {
  it('tells each source of each user, in order, and at the end how many lines there were', async () => {
    const { lines, end } = await linesOf();
    const order = lines.map(({ user, source }) => `${user.id} ${source?.kind} ${source?.id}`);
    const ranks = ['direct', 'workspace', 'group'];
    const keys = lines.map(({ user, source, permissions }) => [
      user.id,
      source ? ranks.indexOf(source.kind) : -1,
      source?.id ?? permissions[0] ?? '',
    ]);
    expect(keys).toEqual(
      keys.toSorted((one, other) => {
        const at = one.findIndex((value, index) => value !== other[index]);
        const [a, b] = [one[at] ?? '', other[at] ?? ''];
        return a < b ? -1 : a > b ? 1 : 0;
      }),
    );
    expect(new Set(order).size).toBeGreaterThan(5);
    expect(end).toEqual({ end: { lines: lines.length, at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) as string } });
  });

  it('answers HEAD with the headers of GET, and reads no more than its beginning', async () => {
    await service.dataSource.query(`INSERT INTO users (id) SELECT 'head-' || n FROM generate_series(1, 3000) AS n`);
    const log = StatementLog.of(service.dataSource);
    const headers = { authorization: `Bearer ${service.tokenOf('ada')}`, accept: CSV };
    const [whole, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) => ask(`${service.url}/api/access?search=head-`, { method, headers })),
    );
    const fetches = () => log.take().filter((statement) => statement.startsWith('FETCH')).length;
    // `fetch` does not keep the connection of a HEAD.
    const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...of } = steadyHeaders(whole as Answer);
    expect([head?.status, head?.text, steadyHeaders(head as Answer)]).toEqual([200, '', expect.objectContaining(of)]);
    expect(fetches()).toBe(4 + 1);
    await service.dataSource.query(`DELETE FROM users WHERE id LIKE 'head-%'`);
  });

  it('tells whole lines', async () => {
    const { lines } = await linesOf('?id=ada');
    expect(lines[0]).toEqual({
      user: {
        id: 'ada',
        email: 'ada@example.com',
        displayName: 'Ada',
        type: 'administrator',
        status: 'active',
        activeUntil: null,
      },
      source: { kind: 'direct' },
      permissions: ['users.administer'],
      since: expect.stringMatching(/Z$/) as string,
      until: null,
      actor: { kind: 'system', id: expect.any(String) as string },
      reason: null,
    });
  });

  it('has one line without a source for a user without any', async () => {
    const { lines } = await linesOf('?id=dee');
    expect(lines).toEqual([
      expect.objectContaining({ source: null, permissions: [], since: null, until: null, actor: null, reason: null }),
    ]);
  });

  it('chooses users by the filters of the list, and tells all lines of each', async () => {
    const { lines } = await linesOf('?workspace=atlas&status=active');
    const { text } = await ask(`${service.url}/api/users?workspace=atlas&status=active`, {
      headers: { authorization: `Bearer ${service.tokenOf('ada')}` },
    });
    const { users } = JSON.parse(text) as { users: { id: string }[] };
    expect([...new Set(lines.map(({ user }) => user.id))]).toEqual(users.map(({ id }) => id));
    const { lines: ofOne } = await linesOf(`?id=${users[0]?.id}`);
    expect(lines.filter(({ user }) => user.id === users[0]?.id)).toEqual(ofOne);
  });

  it('has nothing but its end if nobody matches', async () => {
    expect(await linesOf('?id=nobody')).toMatchObject({ lines: [], end: { end: { lines: 0 } } });
  });

  it('has the same lines in CSV', async () => {
    const answer = await access('', CSV);
    const { lines } = await linesOf();
    const [head, ...rows] = answer.text.slice(0, -2).split('\r\n');
    expect(head).toBe(
      '\uFEFFuser,email,displayName,type,status,activeUntil,source,sourceId,sourceName,workspace,permissions,since,until,actorKind,actor,reason',
    );
    expect(rows).toEqual(
      lines.map(({ user, source, permissions, since, until, actor, reason }) =>
        [
          ...[user.id, user.email, user.displayName, user.type, user.status, user.activeUntil],
          ...[source?.kind, source?.id, source?.name, source?.kind === 'workspace' ? source.id : source?.workspace],
          ...[permissions.join('|'), since, until, actor?.kind, actor?.id, reason],
        ]
          .map((cell) => cell ?? '')
          .join(','),
      ),
    );
    const day = new Date().toISOString().slice(0, 10);
    expect(answer.type).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="access-${day}.csv"`);
  });

  it.each([
    [undefined, NDJSON],
    ['*/*', NDJSON],
    [CSV, CSV],
    ['text/*', CSV],
    ['application/*', NDJSON],
    [`${CSV}, ${NDJSON}`, NDJSON],
    [`${CSV}, ${NDJSON};q=0.9`, CSV],
    [`${CSV};q=0.5, */*;q=0.1`, CSV],
    [`${NDJSON};q=0, */*`, CSV],
    [`${CSV}, ${PROBLEM}`, CSV],
    [`${PROBLEM}, ${NDJSON}`, NDJSON],
    ['TEXT/CSV; charset=utf-8', CSV],
    ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', NDJSON],
    [`${NDJSON};q=.2, ${CSV};q=.3`, CSV],
  ])('answers Accept: %s with %s', async (accept, type) => {
    const answer = await fetch(`${service.url}/api/access?id=ada`, {
      headers: { authorization: `Bearer ${service.tokenOf('ada')}`, ...(accept && { accept }) },
    });
    expect([answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([200, type]);
    expect(answer.headers.get('content-disposition')).toMatch(type === CSV ? /\.csv"$/ : /\.ndjson"$/);
    await answer.text();
  });

  it.each(['application/json', 'text/html', `${CSV};q=0`, 'image/*'])('refuses Accept: %s', async (accept) => {
    const { status, text } = await access('', accept);
    expect([status, JSON.parse(text)]).toEqual([
      406,
      { status: 406, message: 'This can be given as application/x-ndjson, text/csv.' },
    ]);
  });

  it('tells refusals in the form that Accept names', async () => {
    const { status, text, type } = await access('', PROBLEM);
    expect([status, type.split(';')[0], (JSON.parse(text) as { code: string }).code]).toEqual([
      406,
      PROBLEM,
      'answer.not_acceptable',
    ]);
  });

  it.each(['sort=id', 'total=true', 'limit=5', 'cursor=x', 'Status=active'])(
    'refuses ?%s before Accept',
    async (query) => {
      const { status, text } = await access(`?${query}`, 'image/png');
      expect([status, text]).toEqual([
        400,
        `{"status":400,"message":"There is no query parameter ${query.split('=')[0]} here."}`,
      ]);
    },
  );

  it.each(['type=boss', 'endsBefore=soon', 'search=', 'id=', 'status=active&status=inactive'])(
    'refuses ?%s before Accept',
    async (query) => {
      const { status, text } = await access(`?${query}`, 'image/png');
      expect([status, JSON.parse(text)]).toEqual([
        400,
        { status: 400, message: `Please give a valid value for the query parameter ${query.split('=')[0]}.` },
      ]);
    },
  );

  it('on the embedded database, lets others go on while its reader takes nothing', async () => {
    const held = await fetch(`${service.url}/api/access`, {
      headers: { authorization: `Bearer ${service.tokenOf('ada')}` },
    });
    expect((await access('?id=ada')).status).toBe(200);
    expect((await held.text()).trimEnd().split('\n').at(-1)).toContain('{"end":');
  });

  it('is for administrators and readers', async () => {
    const reader = service.tokenOf('auditor', { scope: 'users:read' });
    expect((await access('', CSV, reader)).status).toBe(200);
    expect((await access('', CSV, service.tokenOf('ben'))).status).toBe(403);
    expect((await access('', CSV, 'nothing')).status).toBe(401);
  });
});
