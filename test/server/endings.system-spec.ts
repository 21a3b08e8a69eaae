import { createDataSource } from '../support/whole-schema';
import type { OpenedDatabase } from '@user-administration/postgres';
import { DirectoryBuilder } from '../support/directory-builder';
import { openTestDatabase } from '../support/test-database';
import { ask } from '../support/ask';
import { eventually } from '../support/eventually';
import { handmade, inSeconds } from '../support/forged-tokens';
import { RawConnection } from '../support/raw-connection';
import { ServiceProcess } from '../support/service-process';

const SECRET = 'a secret of at least thirty-two bytes';
/** It is answered after so many seconds. */
const WAITING = '/api/journal?after=now&wait=';

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

/** Until a request is in progress beside the one that asks. */
const underWay = () =>
  eventually(async () => expect((await ask(`${service.url}/metrics`)).text).toContain('http_requests_under_way 2\n'));

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
    const requests = [get('/health/ready'), get('/nothing'), get('/health/ready')];
    const open = connection().read();
    for (const [index, { text }] of requests.entries()) {
      open.write(text);
      await eventually(() => expect(open.received.split('HTTP/1.1 ')).toHaveLength(index + 2));
    }
    expect((await open.closed()).match(/HTTP\/1\.1 /g)).toHaveLength(3);
    await expectEnded([requests[0]!, requests[2]!], { status: 200 });
    await expectEnded([requests[1]!], { status: 404, refused: 'route.unknown' });
  });

  it('when it is answered and its connection is closed', async () => {
    const sent = get('/health/ready', 'Connection: close');
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
    await underWay();
    open.reset();
    await expectEnded([sent], { left: 'the connection ended' });
  });

  it('when the caller resets the connection before the answer', async () => {
    const sent = get(`${WAITING}25`, authorized());
    const open = connection().write(sent.text);
    await underWay();
    open.reset();
    await expectEnded([sent], { left: 'the connection ended' });
  });

  it('when others are pipelined behind it: they are ignored, and the connection is closed after its answer', async () => {
    const first = get(`${WAITING}1`, authorized());
    const others = [get('/health/ready'), post([authorized(), 'Content-Length: 2'], '{}'), get('/health/ready')];
    const open = connection().read();
    open.write([first, ...others].map(({ text }) => text).join(''));
    const answer = await open.closed();
    expect(answer.match(/HTTP\/1\.1 \d+|Connection: \S+/g)).toEqual(['HTTP/1.1 200', 'Connection: close']);
    await expectEnded([first], { status: 200 });
    expect(counts(others)).toEqual([0, 0, 0]);
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

  it('when bytes that are no request follow before its answer', async () => {
    const sent = get(`${WAITING}1`, authorized());
    const open = connection().read().write(sent.text);
    await underWay();
    for (let chunk = 0; chunk < 15; chunk++) {
      open.write('\0');
      await ask(`${service.url}/health/live`);
    }
    expect((await open.closed()).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
    await expectEnded([sent], { status: 200 });
    // Node's warning of listeners that pile up.
    expect(service.lines.join('\n')).not.toContain('MaxListenersExceededWarning');
  });

  it('when the caller closes its side of the connection before the answer', async () => {
    const sent = post([authorized(), 'Content-Length: 2'], '{}');
    await connection().read().write(sent.text).finish().closed();
    await expectEnded([sent], { method: 'POST' });
  });
});
