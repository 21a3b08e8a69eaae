import { createDataSource } from '../../src/database/data-source';
import type { OpenedDatabase } from '../../src/database/open-database';
import { DirectoryBuilder } from '../support/directory-builder';
import { openTestDatabase } from '../support/test-database';
import { ask } from '../support/ask';
import { eventually } from '../support/eventually';
import { handmade, inSeconds } from '../support/forged-tokens';
import { RawConnection } from '../support/raw-connection';
import { ServiceProcess } from '../support/service-process';

const SECRET = 'a secret of at least thirty-two bytes';
/** An answer of more than a megabyte, for anybody. */
const LARGE = '/api/docs/swagger-ui-bundle.js';

let database: OpenedDatabase;
let service: ServiceProcess;
let token: string;
let numbered = 0;

beforeAll(async () => {
  database = await openTestDatabase();
  service = await ServiceProcess.start({
    LOG_LEVEL: 'info',
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: String(database.poolSize),
    JWT_SECRET: SECRET,
    HEADERS_TIMEOUT_MS: '1000',
    REQUEST_TIMEOUT_MS: '2000',
    KEEP_ALIVE_TIMEOUT_MS: '300',
  });
  await service.until(200, '/health/ready');
  const dataSource = await createDataSource(database).initialize();
  await new DirectoryBuilder(dataSource).user('ada', { type: 'administrator' });
  await dataSource.destroy();
  token = handmade(SECRET, { sub: 'ada', exp: inSeconds(600) });
});
afterAll(async () => {
  await service.stop();
  await database.close();
});

const connection = () => new RawConnection(service.url);

/** A request with an id of its own, by which its line is found in the log. */
function request(line: string, headers: string[] = [], body = ''): { id: string; text: string } {
  const id = `request-${(numbered += 1)}`;
  const head = [`${line} HTTP/1.1`, 'Host: x', `X-Request-Id: ${id}`, ...headers];
  return { id, text: `${head.join('\r\n')}\r\n\r\n${body}` };
}
const get = (path: string, ...headers: string[]) => request(`GET ${path}`, headers);
const post = (headers: string[], body: string) =>
  request('POST /api/users/workspace-assign', ['Content-Type: application/json', ...headers], body);
const authorized = () => `Authorization: Bearer ${token}`;

type Line = Record<string, unknown>;

/** The lines of each request, by its id. */
function linesById(): Map<unknown, Line[]> {
  const lines = service.lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Line);
  const byId = new Map<unknown, Line[]>();
  for (const line of lines) byId.set(line.requestId, [...(byId.get(line.requestId) ?? []), line]);
  return byId;
}

/** How often each of these requests is logged. */
function counts(requests: { id: string }[]): number[] {
  const byId = linesById();
  return requests.map(({ id }) => byId.get(id)?.length ?? 0);
}

/** Expects these requests to be logged once each, and no request to be under way any more. */
async function expectEnded(requests: { id: string }[], expected: Line): Promise<void> {
  await eventually(async () => {
    const byId = linesById();
    for (const { id } of requests) expect(byId.get(id)).toEqual([expect.objectContaining(expected)]);
    expect((await ask(`${service.url}/metrics`)).text).toContain('http_requests_under_way 1\n');
  });
  // Nothing is added later.
  expect(new Set(counts(requests))).toEqual(new Set([1]));
}

describe('a request is logged once and forgotten', () => {
  it('when it is answered, and its connection stays open until the idle time-out', async () => {
    const requests = [get('/health/live'), get('/nothing'), get('/health/live')];
    const open = connection().read();
    for (const { text } of requests) open.write(text);
    expect((await open.closed()).match(/HTTP\/1\.1 /g)).toHaveLength(3);
    await expectEnded([requests[0]!, requests[2]!], { status: 200 });
    await expectEnded([requests[1]!], { status: 404, refused: 'route.unknown' });
  });

  it('when it is answered and its connection is closed', async () => {
    const sent = get('/health/live', 'Connection: close');
    await connection().read().write(sent.text).closed();
    await expectEnded([sent], { status: 200 });
  });

  it('when its path cannot be decoded', async () => {
    const sent = get('/api/%ff', 'Connection: close');
    await connection().read().write(sent.text).closed();
    await expectEnded([sent], { status: 400, refused: 'request.malformed' });
  });

  it('when the caller resets the connection within the body', async () => {
    const sent = post([authorized(), 'Content-Length: 100'], '{"userIds":[');
    const open = connection().write(sent.text);
    await eventually(async () =>
      expect((await ask(`${service.url}/metrics`)).text).toContain('http_requests_under_way 2\n'),
    );
    open.reset();
    await expectEnded([sent], { left: 'the connection ended' });
  });

  it('when the caller resets the connection within the answer', async () => {
    const requests = Array.from({ length: 20 }, () => get(LARGE));
    const open = connection().write(requests.map(({ text }) => text).join(''));
    // The network takes some of the answers, and the rest waits.
    await eventually(async () => {
      expect((await ask(`${service.url}/metrics`)).text).toMatch(/^http_requests_under_way ([2-9]|1\d|2[01])$/m);
      expect(counts(requests)[0]).toBe(1);
    });
    open.reset();
    await expectEnded(requests.slice(-1), { left: 'the connection ended' });
    expect(new Set(counts(requests))).toEqual(new Set([1]));
  });

  it('when the caller does not read its answers, even if it pipelines requests', async () => {
    const large = Array.from({ length: 20 }, () => get(LARGE));
    const behind = Array.from({ length: 5 }, () => post([authorized(), 'Content-Length: 2'], '{}'));
    const open = connection().write([...large, ...behind].map(({ text }) => text).join(''));
    // A client that does not read does not notice that the connection is closed.
    await expectEnded(behind, { left: 'the caller did not read its answer', route: '/api/users/workspace-assign' });
    open.reset();
    expect(new Set(counts(large))).toEqual(new Set([1]));
  });

  it.each([
    ['with bodies', () => post(['Content-Length: 2'], '{}')],
    ['without bodies', () => get('/api/journal')],
  ])('when too many requests are pipelined on its connection, %s', async (_, make) => {
    const requests = Array.from({ length: 1_000 }, make);
    const open = connection().write(requests.map(({ text }) => text).join(''));
    await expectEnded([requests[50]!], { left: 'too many requests waited for the answers before theirs' });
    open.reset();
    // Those that came after the connection was closed were never taken.
    expect(counts(requests).join('')).toMatch(/^1{102,400}0*$/);
  });

  it('when the rest of its body does not come in time', async () => {
    const sent = post([authorized(), 'Content-Length: 100'], '{"userIds":[');
    const answer = await connection().read().write(sent.text).closed();
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(answer).toContain(`X-Request-Id: ${sent.id}\r\n`);
    await expectEnded([sent], { status: 408, refused: 'request.malformed', reason: 'ERR_HTTP_REQUEST_TIMEOUT' });
    // At least most of the time-out, in milliseconds.
    expect(linesById().get(sent.id)?.[0]?.ms).toBeGreaterThan(1_000);
  });

  it('when its body is framed wrongly', async () => {
    const sent = post([authorized(), 'Transfer-Encoding: chunked'], 'no length\r\n');
    const answer = await connection().read().write(sent.text).closed();
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    await expectEnded([sent], { status: 400, refused: 'request.malformed' });
  });

  it('when bytes that are no request follow while its answer is being sent', async () => {
    const requests = Array.from({ length: 20 }, () => get(LARGE));
    const open = connection().write(requests.map(({ text }) => text).join(''));
    // The network takes some of the answers, and the rest waits.
    await eventually(async () => {
      expect((await ask(`${service.url}/metrics`)).text).toMatch(/^http_requests_under_way ([2-9]|1\d|2[01])$/m);
      expect(counts(requests)[0]).toBe(1);
    });
    for (let chunk = 0; chunk < 15; chunk++) {
      open.write('\0');
      await ask(`${service.url}/health/live`);
    }
    const received = await open.read().closed();
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual([...Array<string>(20).fill('HTTP/1.1 200'), 'HTTP/1.1 400']);
    await expectEnded(requests, { status: 200 });
    // Node's warning of listeners that pile up.
    expect(service.lines.join('\n')).not.toContain('MaxListenersExceededWarning');
  });

  it('when the caller closes its side of the connection before the answer', async () => {
    const sent = post([authorized(), 'Content-Length: 2'], '{}');
    await connection().read().write(sent.text).finish().closed();
    await expectEnded([sent], { method: 'POST' });
  });
});
