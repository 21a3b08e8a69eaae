import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { LIMITS } from '../../src/contract/limits';
import { startTestService, type TestService } from '../../src/testing/start-service';
import { type Answer, ask, post } from '../support/ask';
import { rawRequest } from '../support/raw-http';

let service: TestService;
let authorization: string;

beforeAll(async () => {
  service = await startTestService();
  await service.directory.user('ada', { type: 'administrator' });
  authorization = `Bearer ${service.tokenOf('ada')}`;
});
afterAll(() => service.close());

const ASSIGN = '/api/users/workspace-assign';
const STATUS = '/api/users/manage-status';

/** What every answer carries, whatever it says. */
function expectGoodManners({ headers }: Answer): void {
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('content-language')).toBe('en');
  expect(headers.get('vary')).toContain('Accept-Language');
  expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toContain("default-src 'self'");
  expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d+/);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.has('x-powered-by')).toBe(false);
  expect(headers.has('etag')).toBe(false);
}

/** The body in the shape that the path answers in. */
function failureAt(path: string, status: number, message: string): string {
  return JSON.stringify({ status: path.toLowerCase().startsWith(STATUS) ? 'error' : status, message });
}

async function expectFailure(answering: Promise<Answer>, path: string, status: number, message: string): Promise<void> {
  const answer = await answering;
  expect(answer.text).toBe(failureAt(path, status, message));
  expect(answer.status).toBe(status);
  expectGoodManners(answer);
}

describe.each([
  ASSIGN,
  STATUS,
  `${STATUS}/`,
  '/API/Users/Manage-Status',
  `${STATUS}?id=ben`,
  `${ASSIGN}/?userIds[]=ben`,
])('a body at %s', (path) => {
  const send = (body: string | Buffer | FormData | URLSearchParams, headers: Record<string, string>): Promise<Answer> =>
    ask(service.url + path, {
      method: 'POST',
      headers: { authorization, ...headers },
      body: body as RequestInit['body'],
    });
  const json = { 'content-type': 'application/json' };

  it.each<[string, string | Buffer, Record<string, string>]>([
    ['cut in the middle', '{"userIds":["ben"', json],
    ['with a comma too many', '{"userIds":["ben",]}', json],
    ['of a bare word', 'ben', json],
    ['of a number that JSON does not know', '{"id":NaN}', json],
    ['in single quotes', "{'id':'ben'}", json],
    ['of a form that says it is JSON', 'id=ben&token=x', json],
    ['of white space', '   ', json],
    ['of NUL', '\0', json],
    ['of two values', '{} {}', json],
    [
      'that is gzipped and cut',
      gzipSync('{"userIds":["ben"]}').subarray(0, 20),
      { ...json, 'content-encoding': 'gzip' },
    ],
    ['that says it is gzipped', '{"userIds":["ben"]}', { ...json, 'content-encoding': 'gzip' }],
    ['that says it is deflated', '{"userIds":["ben"]}', { ...json, 'content-encoding': 'deflate' }],
    ['that says it is brotli', '{"userIds":["ben"]}', { ...json, 'content-encoding': 'br' }],
  ])('%s is not JSON', async (_, body, headers) => {
    const message = 'The request body is not valid JSON. Please correct it and try again.';
    await expectFailure(send(body, headers), path, 400, message);
  });

  it.each<[string, string | Buffer | FormData | URLSearchParams, Record<string, string>]>([
    ['a form', new URLSearchParams({ id: 'ben' }), {}],
    ['a multipart form', new FormData(), {}],
    ['text', '{"id":"ben"}', { 'content-type': 'text/plain' }],
    ['XML', '<id>ben</id>', { 'content-type': 'application/xml' }],
    ['JSON lines', '{"id":"ben"}', { 'content-type': 'application/x-ndjson' }],
    ['JSON by another name', '{"id":"ben"}', { 'content-type': 'text/json' }],
    ['of an empty type', '{"id":"ben"}', { 'content-type': '' }],
    ['of a type that is none', '{"id":"ben"}', { 'content-type': 'json' }],
    ['in an unknown charset', '{"id":"ben"}', { 'content-type': 'application/json; charset=klingon' }],
    ['in Latin', '{"id":"ben"}', { 'content-type': 'application/json; charset=iso-8859-1' }],
    ['in an unknown encoding', '{"id":"ben"}', { ...json, 'content-encoding': 'zip' }],
    ['in two encodings', '{"id":"ben"}', { ...json, 'content-encoding': 'gzip, gzip' }],
  ])('%s is not supported', async (_, body, headers) => {
    const message = 'Please send the request body as JSON (Content-Type: application/json).';
    await expectFailure(send(body, headers), path, 415, message);
  });

  it('without any type is not supported', async () => {
    const answer = rawRequest(
      service.url,
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
    );
    const message = 'Please send the request body as JSON (Content-Type: application/json).';
    await expectFailure(answer, path, 415, message);
  });

  it('that unpacks to more than the limit is too large', async () => {
    const bomb = gzipSync(Buffer.alloc(LIMITS.bodyBytes + 1, ' '));
    const message = 'The request body is too large. Please split it into smaller requests.';
    await expectFailure(send(bomb, { ...json, 'content-encoding': 'gzip' }), path, 413, message);
  });

  it('that says it is longer than the limit is too large, before it is sent', async () => {
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: ${LIMITS.bodyBytes + 1}\r\nConnection: close\r\n\r\n`;
    const message = 'The request body is too large. Please split it into smaller requests.';
    await expectFailure(rawRequest(service.url, head), path, 413, message);
  });
});

describe('a body that nobody reads', () => {
  const many = 17 * 1024 * 1024;
  const bodies: [string, string, string][] = [
    ['that is not JSON', 'application/json', '{"userIds":["ben"'],
    ['of another type', 'text/plain', 'ben'],
    ['that is too large', 'application/json', ' '.repeat(many)],
  ];

  it.each(bodies)('%s costs who may not call no more than a 401', async (_, type, body) => {
    for (const [path, message] of [
      [ASSIGN, 'Please sign in with a valid token.'],
      [STATUS, 'Invalid token or user ID'],
    ] as const) {
      await expectFailure(post(service.url + path, body, { 'content-type': type }), path, 401, message);
    }
  });

  it.each(bodies)('%s does not hide that there is nothing, or another verb', async (_, type, body) => {
    const nothing = 'There is nothing at this address. Please check the path.';
    await expectFailure(post(`${service.url}/nothing`, body, { 'content-type': type }), '/nothing', 404, nothing);
    const put = await ask(service.url + ASSIGN, { method: 'PUT', headers: { 'content-type': type }, body });
    expect(put.status).toBe(405);
    expect(put.headers.get('allow')).toBe('POST');
  });

  it('is read to its end, so that a caller who closes the connection hears the answer', async () => {
    const head = `POST ${ASSIGN} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${many}\r\nConnection: close\r\n\r\n`;
    for (let turn = 0; turn < 5; turn++) {
      expect(await wholeAnswer(service.url, head, many)).toMatch(/^HTTP\/1\.1 401 /);
    }
  });

  it('is not inflated for who may not call', async () => {
    const bomb = gzipSync(Buffer.alloc(LIMITS.bodyBytes, '[],'));
    const began = performance.now();
    const answer = await ask(service.url + ASSIGN, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: bomb,
    });
    expect(answer.status).toBe(401);
    expect(performance.now() - began).toBeLessThan(250);
  });
});

/** Writes all of a request, as fast as it is taken, and reads all of the answer; throws when the connection is reset. */
async function wholeAnswer(url: string, head: string, length: number): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const pieces = Array.from({ length: length / PIECE.length }, () => PIECE);
  const [answer] = await Promise.all([text(socket), pipeline([Buffer.from(head), ...pieces], socket, { end: false })]);
  return answer;
}
const PIECE = Buffer.alloc(64 * 1024, ' ');

describe('a body that is accepted', () => {
  it.each<[string, string | Buffer, Record<string, string>]>([
    ['in the charset of JSON', '{"userIds":[]}', { 'content-type': 'application/json; charset=UTF-8' }],
    ['with a type in capitals', '{"userIds":[]}', { 'content-type': 'Application/JSON' }],
    ['gzipped', gzipSync('{"userIds":[]}'), { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
    ['empty', '', { 'content-type': 'application/json' }],
  ])('%s', async (_, body, headers) => {
    const answer = await ask(service.url + ASSIGN, { method: 'POST', headers: { authorization, ...headers }, body });
    expect(answer.text).toBe('{"status":400,"message":"Please select at least one user."}');
  });

  it('of exactly the limit', async () => {
    const answer = await post(service.url + ASSIGN, '{}'.padEnd(LIMITS.bodyBytes), { authorization });
    expect(answer.text).toBe('{"status":400,"message":"Please select at least one user."}');
  });
});

describe('where there is nothing', () => {
  it.each([
    ['GET', '/'],
    ['GET', '/api'],
    ['POST', '/api/users'],
    ['POST', '/api/users/workspace-assign/ben'],
    ['POST', '/api/users/workspace-assignment'],
    ['POST', '/api/users/manage-status/ben'],
    ['GET', '/api/users/manage-status/ben?x=/api'],
    ['DELETE', '/api/users/manage-status/'.concat('x/'.repeat(500))],
    ['POST', '/api/users/manage-statuses'],
    ['GET', '/api/users/%00'],
    ['GET', '/%2e%2e/%2e%2e/etc/passwd'],
    ['GET', '//api/users/manage-status'],
    ['GET', '/.env'],
    ['PATCH', '/api/users/__proto__'],
  ])('%s %s', async (method, path) => {
    const message = 'There is nothing at this address. Please check the path.';
    const { pathname } = new URL(`http://x${path}`);
    const worded = pathname.startsWith(`${STATUS}/`);
    await expectFailure(ask(service.url + path, { method }), worded ? STATUS : '/', 404, message);
  });
});

describe('an address that cannot be decoded', () => {
  it.each(['/api/%ff', '/api/users/%', '/api/users/%e0%a4%a', `${STATUS}/%ff`])('%s', async (path) => {
    const message = 'This request could not be read. Please check its format and try again.';
    await expectFailure(post(service.url + path, {}, { authorization }), path, 400, message);
  });
});

describe('a verb that a route does not know', () => {
  it.each(
    [ASSIGN, STATUS, `${STATUS}/`, '/api/users/MANAGE-STATUS', `${ASSIGN}?a=b`].flatMap((path) =>
      ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY'].map((verb) => [verb, path] as const),
    ),
  )('%s %s', async (method, path) => {
    const answer = await ask(service.url + path, { method });
    expect(answer.headers.get('allow')).toBe('POST');
    const message = 'This method is not supported here. Please use one that the Allow header lists.';
    await expectFailure(Promise.resolve(answer), path, 405, message);
  });

  it.each([ASSIGN, STATUS])('HEAD %s, which has no body', async (path) => {
    const answer = await ask(service.url + path, { method: 'HEAD' });
    expect(answer).toMatchObject({ status: 405, text: '' });
    expect(answer.headers.get('allow')).toBe('POST');
    expectGoodManners(answer);
  });

  it('is told what the route does know', async () => {
    const answer = await ask(`${service.url}/health/live`, { method: 'POST' });
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
    expect(answer.status).toBe(405);
  });
});

describe('a target in absolute form (RFC 9112 section 3.2.2)', () => {
  it('has the shape of its path', async () => {
    const answer = await rawRequest(
      service.url,
      `POST http://users.example.com${STATUS}?id=ben HTTP/1.1\r\nHost: users.example.com\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    );
    expect(answer.text).toBe('{"status":"error","message":"Invalid token or user ID"}');
  });
});
