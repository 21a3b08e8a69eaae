import { LANGUAGES } from '../../src/i18n/languages';
import { openApiFile } from '../support/declared-answers';
import { ask, type Answer } from '../support/ask';
import { rawRequest } from '../support/raw-http';
import { BulkTrial } from './bulk-operations';

const STRICT = { prefer: 'handling=strict' };

const trial = BulkTrial.forAllTests();

// What a query that is no UTF-8 would find if each wrong byte were replaced.
beforeAll(() => trial.service.directory.user('\ufffd'));

/** Every operation under `/api`, with ids that no record has. */
const operations = Object.entries(openApiFile.paths)
  .filter(([path]) => path.startsWith('/api/'))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => ({
      method: method.toUpperCase(),
      path: path.replace(/\{\w+\}/g, 'nobody'),
      takesBody: requestBody !== undefined,
    })),
  );

/** The body of a refusal in the format of its route. */
function refusal(path: string, message: string): string {
  const status = path.startsWith('/api/users/manage-status') ? 'error' : 400;
  return JSON.stringify({ status, message });
}

const noParameter = (path: string, name: string) => refusal(path, `There is no query parameter ${name} here.`);
const noField = (path: string, field: string) => refusal(path, `There is no field ${field} here.`);

interface Sent {
  caller?: string;
  headers?: Record<string, string>;
  body?: string;
}

function send(method: string, target: string, { caller = 'ada', headers, body }: Sent = {}): Promise<Answer> {
  const authorization = `Bearer ${trial.service.tokenOf(caller)}`;
  return ask(trial.service.url + target, {
    method,
    headers: { authorization, 'content-type': 'application/json', ...headers },
    body,
  });
}

describe('a query parameter that the route does not have', () => {
  it('is refused by every operation, and changes nothing', async () => {
    const before = await trial.traces();
    for (const { method, path } of operations) {
      const answer = await send(method, `${path}?preview=true`);
      expect([method, path, answer.status, answer.text]).toEqual([method, path, 400, noParameter(path, 'preview')]);
    }
    expect(await trial.traces()).toEqual(before);
  });

  it.each([
    ['GET', '/api/users', 'statuss=inactive', 'statuss'],
    ['GET', '/api/users', 'Limit=5', 'Limit'],
    ['GET', '/api/users', 'status[]=inactive', 'status[]'],
    ['GET', '/api/users', 'id%5B%5D=ada', 'id[]'],
    ['GET', '/api/users', 'limit=5&constructor', 'constructor'],
    ['GET', '/api/users', '__proto__=1', '__proto__'],
    ['GET', '/api/users', '%20limit=5', ' limit'],
    ['GET', '/api/users', 'limit+=5', 'limit '],
    ['GET', '/api/users', '?limit=5', '?limit'],
    ['GET', '/api/users', '=5', ''],
    ['GET', '/api/users', '&&limit=5&&next=', 'next'],
    ['GET', '/api/users', 'zebra=1&2=1&1=1', 'zebra'],
    ['GET', '/api/users', `limit=5&${'é'.repeat(101)}=1`, 'é'.repeat(100)],
    ['GET', '/api/users', `${'\u{1f600}'.repeat(101)}=1`, '\u{1f600}'.repeat(100)],
    ['GET', '/api/users', '$t(errors.auth.token_invalid)', '$t(errors.auth.token_invalid)'],
    ['GET', '/api/users', '{name}%00', '{name}\0'],
    ['GET', '/api/journal', 'userId=ada', 'userId'],
    ['GET', '/api/journal', 'user[id]=ada', 'user[id]'],
    ['GET', '/api/me', 'verbose', 'verbose'],
    ['GET', '/api/me/', 'verbose', 'verbose'],
    ['HEAD', '/api/me', 'verbose', 'verbose'],
    // A known parameter that is malformed comes second.
    ['GET', '/api/users', 'limit=0&filter=x', 'filter'],
  ])('is named: %s %s?%s', async (method, path, query, name) => {
    const answer = await send(method, `${path}?${new URL(`http://x/?${query}`).search.slice(1)}`);
    expect(answer.status).toBe(400);
    expect(answer.text).toBe(method === 'HEAD' ? '' : noParameter(path, name));
  });

  it('is named in every language, and in problem documents', async () => {
    for (const language of LANGUAGES) {
      const headers = { 'accept-language': language, accept: 'application/problem+json' };
      const answer = await send('GET', '/api/users?Status=inactive', { headers });
      expect(JSON.parse(answer.text)).toMatchObject({ code: 'query.unknown', detail: expect.stringMatching(/Status/) });
    }
  });

  it('is refused before a body is read, and after 401, 403, 404 and 405', async () => {
    const unread = { body: '{', headers: { 'content-type': 'text/plain' } };
    const path = '/api/users/workspace-unassign';
    expect((await send('POST', `${path}?preview=true`, unread)).text).toBe(noParameter(path, 'preview'));
    expect((await ask(`${trial.service.url}/api/users?x`)).status).toBe(401);
    expect((await send('DELETE', '/api/users/cyd?x', { caller: 'max' })).status).toBe(403);
    expect((await send('GET', '/api/user?x')).status).toBe(404);
    expect((await send('GET', `${path}?x`)).status).toBe(405);
  });

  it('is ignored outside of the API, and by the documentation', async () => {
    for (const path of ['/health/live', '/health/ready', '/metrics', '/api/docs', '/api/docs-json'])
      expect([path, (await ask(`${trial.service.url}${path}?x=1`)).status]).toEqual([path, 200]);
  });
});

describe('a query that cannot be read', () => {
  it.each(['id=%ff', 'id=%ED%A0%80', 'id=%c3', 'id=%c3&a=%a9', 'id=%', 'id=%g0', '%fe=1', 'id=ada&limit=%80'])(
    'is refused as a path is: %s',
    async (query) => {
      const message = 'This request could not be read. Please check its format and try again.';
      for (const [method, path] of [
        ['GET', '/api/users'],
        ['POST', '/api/users/manage-status'],
      ] as const) {
        const answer = await send(method, `${path}?${query}`);
        expect([answer.status, answer.text]).toEqual([400, refusal(path, message)]);
      }
    },
  );

  it('is refused if it holds bytes that a target cannot have', async () => {
    const authorization = `Authorization: Bearer ${trial.service.tokenOf('ada')}`;
    for (const bytes of ['\xff', '\xc3\xa9', 'limit=5\xa0']) {
      const head = `GET /api/users?id=${bytes} HTTP/1.1\r\nHost: x\r\n${authorization}\r\nConnection: close\r\n\r\n`;
      expect((await rawRequest(trial.service.url, Buffer.from(head, 'latin1'))).status).toBe(400);
    }
  });
});

describe('with Prefer: handling=strict, an unknown field of a body', () => {
  it('is refused by every operation with a body of fields, and changes nothing', async () => {
    const before = await trial.traces();
    // The body of an import is a file.
    const withFields = operations.filter(({ takesBody, path }) => takesBody && path !== '/api/imports');
    for (const { method, path } of withFields) {
      const answer = await send(method, path, { headers: STRICT, body: '{"userIds":["ben"],"Group":["x"]}' });
      const field = path.startsWith('/api/users/') && /assign$/.test(path) ? 'Group' : 'userIds';
      expect([method, path, answer.status, answer.text]).toEqual([method, path, 400, noField(path, field)]);
    }
    expect(await trial.traces()).toEqual(before);
  });

  it.each([
    ['{"userIds":["ben"],"workspaces":["atlas"],"group":["atlas-managers"]}', 'group'],
    ['{"zebra":{"1":2},"2":1,"1":[{"a":1}]}', 'zebra'],
    ['{"userIds":[{"a":"\\"b\\":"}],"a\\"b":1,"7":1}', 'a"b'],
    [' {\n "workspaces" : [ ] , "" : null }', ''],
    ['{"__proto__":{"userIds":["ben"]}}', '__proto__'],
    [`{"${'x'.repeat(101)}":1}`, 'x'.repeat(100)],
    ['{"$t(errors.user.invalid)":1}', '$t(errors.user.invalid)'],
    ['{"\\ud800":1}', '\ud800'],
  ])('is the first in the order of the body: %.60s', async (body, field) => {
    const path = '/api/users/workspace-assign';
    const answer = await send('POST', path, { headers: STRICT, body });
    expect([answer.status, answer.text]).toEqual([400, noField(path, field)]);
  });

  it('has its place in problem documents', async () => {
    const headers = { ...STRICT, accept: 'application/problem+json' };
    const answer = await send('POST', '/api/users/status-tokens', { headers, body: '{"a/b~c":1}' });
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'field.unknown', errors: [{ pointer: '/a~1b~0c' }] });
  });

  it('is refused after 401 and 403, and where a body has no meaning', async () => {
    const body = '{"group":1}';
    const path = '/api/users/workspace-assign';
    expect((await send('POST', path, { headers: { ...STRICT, authorization: 'Bearer x' }, body })).status).toBe(401);
    expect((await send('POST', path, { headers: STRICT, body, caller: 'max' })).status).toBe(403);
    const rotation = '/api/webhooks/nobody/secret';
    expect((await send('POST', rotation, { headers: STRICT, body })).text).toBe(noField(rotation, 'group'));
    expect((await send('POST', rotation, { body })).status).toBe(404);
  });

  it('is told from one that cannot be changed, and from a body that is no object', async () => {
    const change = await send('PATCH', '/api/users/ben', { headers: STRICT, body: '{"type":"manager"}' });
    expect(change.text).toBe('{"status":400,"message":"type cannot be changed here."}');
    for (const body of ['[1]', 'null', '"text"', '7'])
      expect((await send('PATCH', '/api/users/ben', { headers: STRICT, body })).text).toContain('could not be read');
  });

  it.each(['handling=lenient, handling=strict', 'foo="handling=strict"', 'handling="lax"', 'respond-async'])(
    'is ignored with Prefer: %s',
    async (prefer) => {
      const body = JSON.stringify({ group: ['atlas-managers'] });
      expect((await send('POST', '/api/users', { headers: { prefer }, body })).status).toBe(201);
    },
  );
});
