import type { DataSource } from 'typeorm';
import { createDataSource } from '../support/whole-schema';
import type { OpenedDatabase } from '@user-administration/postgres';
import { DirectoryBuilder } from '../support/directory-builder';
import { openTestDatabase } from '../support/test-database';
import { ask, post } from '../support/ask';
import { handmade, inSeconds } from '../support/forged-tokens';
import { ServiceProcess } from '../support/service-process';

/** As pino writes them. */
const [DEBUG, INFO, WARN] = [20, 30, 40];

const MARK = 'tell-no-one';
/** Of version 01, which may have more than version 00. */
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const TRACEPARENT = `01-${TRACE}-b7ad6b7169203331-01-${MARK}`;

const SECRET = `${MARK}-${MARK}-${MARK}-${MARK}`;

let database: OpenedDatabase;
let dataSource: DataSource;
/** Everything that the service wrote in its whole life, at the level that says most. */
let lines: readonly string[];

beforeAll(async () => {
  database = await openTestDatabase();
  dataSource = await createDataSource(database).initialize();
  const service = await ServiceProcess.start({
    LOG_LEVEL: 'trace',
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: String(database.poolSize),
    JWT_SECRET: SECRET,
  });
  lines = service.lines;
  await service.until(200, '/health/ready');
  await new DirectoryBuilder(dataSource).user('ada', { type: 'administrator' });
  await misuse(service.url);
  await read(service.url);
  await service.stop();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.close();
});

/** Puts the mark wherever a caller can put text, on the way to success and to failures of every kind. */
async function misuse(url: string): Promise<void> {
  const token = handmade(SECRET, { sub: 'ada', exp: inSeconds(300), note: MARK });
  const tokens = [
    token,
    handmade(`${MARK}${SECRET}`, { sub: MARK }),
    handmade(SECRET, { sub: MARK, exp: inSeconds(300) }),
    handmade(SECRET, { sub: MARK, exp: inSeconds(300), scope: MARK }),
    handmade(SECRET, { text: MARK }),
    handmade(SECRET, { sub: 'ada' }, { text: `{"alg":"HS256",${MARK}` }),
    handmade(SECRET, { sub: 'ada', exp: MARK }),
    `${MARK}.${MARK}.${MARK}`,
  ];
  const bodies = [
    { userIds: [MARK], workspaces: [MARK] },
    { userIds: ['ada'], workspaces: [MARK], groups: [MARK], [MARK]: MARK },
    { userIds: MARK },
    `{"userIds":["${MARK}`,
    `${MARK}`,
    ...tokens.flatMap((granting) => [
      { id: 'ada', token: granting },
      { id: MARK, token: granting },
    ]),
  ];
  let request = 0;
  const send = async (path: string, body: unknown, headers: Record<string, string>): Promise<void> => {
    await post(url + path, body, {
      'accept-language': MARK,
      cookie: `session=${MARK}`,
      'user-agent': MARK,
      'x-request-id': `request-${(request += 1)}`,
      // Every second one is invalid.
      traceparent: request % 2 === 1 ? TRACEPARENT : TRACEPARENT.replace('01', '00'),
      ...headers,
    });
  };
  for (const path of ['/api/users/workspace-assign', '/api/users/manage-status']) {
    for (const body of bodies) await send(path, body, { authorization: `Bearer ${token}` });
    for (const header of tokens) await send(path, {}, { authorization: `Bearer ${header}` });
    for (const query of [`token=${MARK}&access_token=${token}`, `${MARK}=${token}`, `${MARK}=%ff`])
      await send(`${path}?${query}`, bodies[0], { authorization: `Bearer ${token}` });
    await send(path, {}, { authorization: `Bearer Bearer ${token}` });
    await send(path, MARK, { 'content-type': `text/${MARK}` });
    await send(`${path}/${token}`, {}, {});
    await send(path, {}, { 'x-request-id': `${MARK} ${MARK}` });
    await send(path, {}, { 'x-too-long': MARK.repeat(5_000) });
  }
  for (const expiresIn of [60, 61]) {
    const body = { id: 'ada', status: 'active', expiresIn };
    await send('/api/users/status-tokens', body, { authorization: `Bearer ${token}`, 'idempotency-key': MARK });
  }
  // A fault of ours, in the middle of a statement whose parameters are the caller's.
  await dataSource.query('ALTER TABLE workspaces RENAME TO workspaces_gone');
  await send(
    '/api/users/workspace-assign',
    { userIds: ['ada'], workspaces: [MARK] },
    { authorization: `Bearer ${token}` },
  );
  await dataSource.query('ALTER TABLE workspaces_gone RENAME TO workspaces');
}

/** Each path, with what the log says that it was about. */
const READS = [
  ['GET', '/api/users/ada', 200, 'ada'],
  ['HEAD', '/api/users/ada', 200, 'ada'],
  ['GET', '/api/users/ada/permissions', 200, 'ada'],
  ['GET', '/api/journal?user=ada&limit=1', 200, 'ada'],
  ['GET', '/api/users?id=ada', 200, 'ada'],
  ['GET', '/api/users?id=ada&id=ben', 200, ['ada', 'ben']],
  ['GET', '/api/users?search=ada', 200, undefined],
  ['GET', `/api/users/${MARK}`, 404, undefined],
  ['GET', `/api/me?id=${MARK}`, 400, undefined],
  ['PATCH', '/api/users/ada', 200, undefined],
] as const;

async function read(url: string): Promise<void> {
  const authorization = `Bearer ${handmade(SECRET, { sub: 'ada', exp: inSeconds(300) })}`;
  for (const [nth, [method, path]] of READS.entries()) {
    const headers = { authorization, 'content-type': 'application/json', 'x-request-id': `read-${nth}` };
    await ask(url + path, { method, headers, ...(method === 'PATCH' && { body: '{}' }) });
  }
}

describe('the log at its most verbose level', () => {
  it('says what a read was about, so that it tells who looked at whom', () => {
    const told = READS.map(([method, path], nth) => {
      const line = lines.find((each) => each.includes(`"read-${nth}"`)) ?? '{}';
      const { status, subject } = JSON.parse(line) as { status?: number; subject?: string };
      return [method, path, status, subject];
    });
    expect(told).toEqual(READS);
  });

  it('contains no tokens, bodies, queries or headers', () => {
    expect(lines.filter((line) => line.includes(MARK))).toEqual([]);
    expect(lines.filter((line) => /eyJ[\w-]+\.eyJ/.test(line))).toEqual([]);
    expect(lines.filter((line) => line.includes(encodeURIComponent(new URL(database.url).password || SECRET)))).toEqual(
      [],
    );
  });

  it('has a line for every request with its id, and the reason of a refusal', () => {
    const entries = lines
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const requests = entries.filter(({ msg }) => msg === 'request');

    expect(requests.length).toBeGreaterThan(30);
    expect(requests).toContainEqual(
      expect.objectContaining({
        requestId: 'request-1',
        method: 'POST',
        route: '/api/users/workspace-assign',
        status: 400,
        caller: 'ada',
      }),
    );
    expect(requests.filter(({ requestId }) => typeof requestId !== 'string')).toEqual([]);
    expect(requests.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 401, 409, 422, 500]));
    const counted = requests.filter(({ requestId }) => /^request-\d+$/.test(String(requestId)));
    const traces = counted.map(({ requestId }) => (Number(String(requestId).slice(8)) % 2 === 1 ? TRACE : undefined));
    expect(counted.map(({ traceId }) => traceId)).toEqual(traces);
    const faults = entries.filter(({ msg }) => msg === 'a request failed');
    expect(new Set(faults.map(({ traceId }) => traceId))).toEqual(
      new Set(requests.filter(({ status }) => status === 500).map(({ traceId }) => traceId)),
    );
    const denied = [401, 403, 409, 422, 429, 503];
    const levelOf = ({ status, route }: Record<string, unknown>) => {
      if (route === '/health/live') return DEBUG;
      return denied.includes(Number(status)) ? WARN : INFO;
    };
    expect(requests.filter((line) => line.level !== levelOf(line))).toEqual([]);
    const reasons = requests.filter(({ refused }) => /^(auth|status)/.test(String(refused)));
    expect(reasons.length).toBeGreaterThan(10);
    const told = reasons.map(({ reason }) => reason);
    const pastedWhole = 'the header has the word Bearer twice: send it once, before the token';
    expect(told).toEqual(
      expect.arrayContaining(['the user is unknown', 'the scope users:administer is missing', pastedWhole]),
    );
    expect(reasons.filter(({ reason, level }) => typeof reason !== 'string' || level !== WARN)).toEqual([]);
  });
});
