import { ask, post } from '../support/ask';
import { useTestService } from '../support/test-service';
import { expectFailure, expectGoodManners } from '../support/good-manners';
import { rawRequest } from '../support/raw-http';

const service = useTestService();
let authorization: string;

beforeAll(async () => {
  await service.directory.user('ada', { type: 'administrator' });
  authorization = `Bearer ${service.tokenOf('ada')}`;
});

const ASSIGN = '/api/users/workspace-assign';
const STATUS = '/api/users/manage-status';

describe('a path without a route', () => {
  it.each([
    ['GET', '/doc'],
    ['GET', '/api'],
    ['POST', '/api/user'],
    ['POST', '/api/users/workspace-assign/ben'],
    ['POST', '/api/users/ben/workspace-assign'],
    ['POST', '/api/users/manage-status/ben'],
    ['GET', '/api/users/manage-status/ben?x=/api'],
    ['DELETE', '/api/users/manage-status/'.concat('x/'.repeat(500))],
    ['POST', '/api/users-manage-status'],
    ['GET', '/api/users/ben/%00'],
    ['GET', '/%2e%2e/%2e%2e/etc/passwd'],
    ['GET', '//api/users/manage-status'],
    ['GET', '/.env'],
    ['PATCH', '/api/__proto__'],
    // Express decodes an id and never the name of a route, and the name of an operation is no id.
    ...['GET', 'POST', 'DELETE'].map((method) => [method, '/api/users/manage%2Dstatus'] as const),
    ['PATCH', '/api/users/%77orkspace-assign/'],
    // Paths are case-sensitive, as a proxy that hides one of them assumes.
    ['POST', '/api/Users/manage-status'],
    ['POST', '/API/users/workspace-assign'],
    ['GET', '/api/users/ben/Memberships'],
    ['GET', '/api/Docs'],
    ['GET', '/METRICS'],
    ['GET', '/Health/ready'],
  ] as const)('is answered 404: %s %s', async (method, path) => {
    const message = 'There is nothing at this address. Please check the path.';
    const { pathname } = new URL(`http://x${path}`);
    const worded = pathname.startsWith(`${STATUS}/`);
    await expectFailure(ask(service.url + path, { method }), worded ? STATUS : '/', 404, message);
  });
});

describe('a path that cannot be decoded is answered 400', () => {
  it.each(['/api/%ff', '/api/users/%', '/api/users/%e0%a4%a', `${STATUS}/%ff`])('%s', async (path) => {
    const message = 'This request could not be read. Please check its format and try again.';
    await expectFailure(post(service.url + path, {}, { authorization }), path, 400, message);
  });
});

describe('a method that a route does not support', () => {
  it.each(
    [ASSIGN, STATUS, `${STATUS}/`, `${ASSIGN}?a=b`].flatMap((path) =>
      ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY'].map((verb) => [verb, path] as const),
    ),
  )('is answered 405: %s %s', async (method, path) => {
    const answer = await ask(service.url + path, { method });
    expect(answer.headers.get('allow')).toBe('POST');
    const message = 'This method is not supported here. Please use one that the Allow header lists.';
    await expectFailure(Promise.resolve(answer), path, 405, message);
  });

  it.each([ASSIGN, STATUS])('is answered 405 without a body: HEAD %s', async (path) => {
    const answer = await ask(service.url + path, { method: 'HEAD' });
    expect(answer).toMatchObject({ status: 405, text: '' });
    expect(answer.headers.get('allow')).toBe('POST');
    expectGoodManners(answer);
  });

  it('is answered with the methods that the route supports', async () => {
    const answer = await ask(`${service.url}/health/live`, { method: 'POST' });
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
    expect(answer.status).toBe(405);
  });
});

describe('a target in absolute form (RFC 9112 section 3.2.2)', () => {
  it('is answered in the format of its path', async () => {
    const answer = await rawRequest(
      service.url,
      `POST http://users.example.com${STATUS}?id=ben HTTP/1.1\r\nHost: users.example.com\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    );
    expect(answer.text).toBe('{"status":"error","message":"Invalid token or user ID"}');
  });

  it.each([
    ['an ordinary host', 'http://users.example.com', STATUS],
    ['a host with a quote', "http://x'", STATUS],
    ['backslashes', 'http://x', '/api\\users\\manage-status'],
    ['a quote in an id', 'http://x', "/api/users/o'brien"],
    ['characters that no address has', 'http://x', '/api/users/"<>^`{|}?a=b?c'],
    ['no path', 'http://x', '/?a=b'],
  ])('is answered like its path: %s', async (_, origin, path) => {
    const post = (target: string) =>
      rawRequest(service.url, `POST ${target} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
    const [whole, alone] = [await post(origin + path), await post(path)];
    expect([whole.status, whole.text, whole.headers.get('allow')]).toEqual([
      alone.status,
      alone.text,
      alone.headers.get('allow'),
    ]);
    expectGoodManners(whole);
  });

  it.each(['http://x', 'http://x?a=b'])('may lack a path: %s', async (target) => {
    const answer = await rawRequest(service.url, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, './api/docs']);
  });
});
