import { request } from 'node:http';
import { startTestService, useTestService } from '../support/test-service';
import { type Answer, ASSIGNED, NOT_PERMITTED, post, STATUS_UPDATED, steadyHeaders } from '../support/ask';
import { passAnHour } from '../support/pass-an-hour';
import { call } from '../support/record-calls';
import { everyRow, writeSmallDirectory } from '../support/small-directory';
import { querySealed } from '../support/sealed';

const ASSIGN = '/api/users/workspace-assign';
const STATUS = '/api/users/manage-status';
const TOKENS = '/api/users/status-tokens';
const KEY = '"8e03978e-40d5-43e8-bc93-6894a57f9324"';

const service = useTestService({ environment: { FAIR_USE_PER_CALLER: '1000' } });
let token: string;

beforeEach(async () => {
  await writeSmallDirectory(service);
  await service.dataSource.query('DELETE FROM idempotency_keys');
  token = service.tokenOf('ada');
});

function send(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  return post(service.url + path, body, { authorization: `Bearer ${token}`, 'idempotency-key': KEY, ...headers });
}

function isReplayed(answer: Answer): boolean {
  const value = answer.headers.get('idempotency-replayed');
  expect([null, 'true']).toContain(value);
  return value !== null;
}

async function statusOf(id: string): Promise<string | undefined> {
  const [row]: { status: string }[] = await service.dataSource.query('SELECT status FROM users WHERE id = $1', [id]);
  return row?.status;
}

async function entries(): Promise<number> {
  const [row]: { count: number }[] = await querySealed(
    service.dataSource,
    'SELECT count(*)::integer AS count FROM journal_entries',
  );
  return row?.count ?? NaN;
}

describe('a request that is sent again with its Idempotency-Key', () => {
  it('toggles a status only once', async () => {
    const before = await entries();
    const first = await send(STATUS, { id: 'ben', token });
    expect([first.status, first.text, isReplayed(first)]).toEqual([200, STATUS_UPDATED, false]);
    for (let turn = 0; turn < 3; turn++) {
      const again = await send(STATUS, { id: 'ben', token });
      expect([again.status, again.text, isReplayed(again)]).toEqual([200, STATUS_UPDATED, true]);
    }
    expect(await statusOf('ben')).toBe('inactive');
    expect(await entries()).toBe(before + 1);
  });

  it.each(['users:read', 'users:administer'])('toggles it only once for a service with the scope %s', async (scope) => {
    for (const sub of ['reporting', 'x'.repeat(300)]) {
      const authorization = `Bearer ${service.tokenOf(sub, { scope })}`;
      const first = await send(STATUS, { id: 'ben', token }, { authorization });
      expect([first.status, first.text, isReplayed(first)]).toEqual([200, STATUS_UPDATED, false]);
      const after = await statusOf('ben');
      const again = await send(STATUS, { id: 'ben', token }, { authorization });
      expect([again.status, again.text, isReplayed(again)]).toEqual([200, STATUS_UPDATED, true]);
      expect(await statusOf('ben')).toBe(after);
    }
  });

  it('gets the answer of the first one, with its headers and in its language', async () => {
    const body = { userIds: ['ben'], workspaces: ['atlas'] };
    const first = await send(ASSIGN, body, { 'accept-language': 'de-CH' });
    const again = await send(ASSIGN, body, { 'accept-language': 'ja' });
    expect(first.headers.get('content-language')).toBe('de');
    expect(again.text).toBe(first.text);
    // Each request counts for fair use, be it the first or not.
    const ratelimit = expect.any(String) as string;
    expect(steadyHeaders(again)).toEqual({ ...steadyHeaders(first), ratelimit, 'idempotency-replayed': 'true' });
  });

  it('gets the same status token, which the database does not contain', async () => {
    const body = { id: 'cyd', status: 'active' };
    const first = await send(TOKENS, body);
    const again = await send(TOKENS, body);
    expect(first.status).toBe(200);
    expect([again.text, isReplayed(again)]).toEqual([first.text, true]);
    const [row]: { kept: string }[] = await service.dataSource.query(
      `SELECT string_agg(encode(answer, 'escape') || kept::text, '') AS kept FROM idempotency_keys AS kept`,
    );
    const { token: minted } = JSON.parse(first.text) as { token: string };
    for (const part of minted.split('.')) expect(row?.kept).not.toContain(part);
    expect(row?.kept).not.toContain('8e03978e');
  });

  it('is refused if the secret that encrypts stored answers has changed', async () => {
    const body = { id: 'cyd', status: 'active' };
    await send(TOKENS, body);
    await send(STATUS, { id: 'ben', token }, { 'idempotency-key': 'no-secret' });
    const { key } = service.config.accessTokens;
    const later = await startTestService({
      database: { url: service.config.databaseUrl ?? '', poolSize: 1 },
      environment: {
        JWT_SECRET: key.kind === 'secret' ? key.secret : '',
        STATUS_TOKEN_SECRET: 'another secret for this test, of 32 bytes or more',
      },
    });
    const authorization = `Bearer ${token}`;
    const again = await post(later.url + TOKENS, body, { authorization, 'idempotency-key': KEY });
    const other = await post(
      later.url + STATUS,
      { id: 'ben', token },
      { authorization, 'idempotency-key': 'no-secret' },
    );
    await later.close();
    expect(again.status).toBe(422);
    expect([other.text, isReplayed(other)]).toEqual([STATUS_UPDATED, true]);
  });

  it.each([
    ['workspace-assign', { userIds: ['ben'], workspaces: ['atlas'] }, { userIds: ['ben'], workspaces: ['atlas'] }],
    ['workspace-unassign', { userIds: ['ben'], workspaces: ['atlas'] }, { userIds: ['ben'], workspaces: ['atlas'] }],
    ['status-assign', { userIds: ['ben'], status: 'active' }, { userIds: ['ben'], status: 'inactive' }],
  ])('never changes anything if the first one changed nothing: %s', async (operation, body, opposite) => {
    const path = `/api/users/${operation}`;
    const reverse = operation.startsWith('workspace')
      ? `/api/users/workspace-${operation === 'workspace-assign' ? 'un' : ''}assign`
      : path;
    await send(path, body, { 'idempotency-key': 'makes-it-so' });
    const before = await entries();
    const first = await send(path, body);
    expect([first.status, isReplayed(first), await entries()]).toEqual([200, false, before]);

    await send(reverse, opposite, { 'idempotency-key': 'takes-it-back' });
    const rows = await everyRow(service);
    const again = await send(path, body);
    expect([again.status, again.text, isReplayed(again)]).toEqual([200, first.text, true]);
    expect(await everyRow(service)).toEqual(rows);
  });

  it('never repeats the use of a status token that was already used', async () => {
    const minted = await send(TOKENS, { id: 'cyd', status: 'active' }, { 'idempotency-key': 'mint' });
    const body = { id: 'cyd', token: (JSON.parse(minted.text) as { token: string }).token };
    expect((await send(STATUS, body, { 'idempotency-key': 'change' })).text).toBe(STATUS_UPDATED);
    expect(isReplayed(await send(STATUS, body))).toBe(false);
    await send(STATUS, { id: 'cyd', token }, { 'idempotency-key': 'another' });
    const again = await send(STATUS, body);
    expect([again.text, isReplayed(again), await statusOf('cyd')]).toEqual([STATUS_UPDATED, true, 'inactive']);
  });

  it('gets its success although its status token is spent and the status has changed since', async () => {
    const minted = await send(TOKENS, { id: 'cyd', status: 'active' }, { 'idempotency-key': 'for-the-token' });
    const body = { id: 'cyd', token: (JSON.parse(minted.text) as { token: string }).token };
    expect((await send(STATUS, body)).text).toBe(STATUS_UPDATED);
    expect((await send(STATUS, { id: 'cyd', token }, { 'idempotency-key': 'another' })).text).toBe(STATUS_UPDATED);

    expect((await send(STATUS, body)).text).toBe(STATUS_UPDATED);
    expect((await send(STATUS, body, { 'idempotency-key': 'a-third' })).text).toBe(NOT_PERMITTED);
    expect(await statusOf('cyd')).toBe('inactive');
  });

  it('gets its success if it only spent a status token, although the status has changed since', async () => {
    const minted = await send(TOKENS, { id: 'ben', status: 'active' }, { 'idempotency-key': 'for-the-token' });
    const body = { id: 'ben', token: (JSON.parse(minted.text) as { token: string }).token };
    expect([(await send(STATUS, body)).text, await statusOf('ben')]).toEqual([STATUS_UPDATED, 'active']);
    expect((await send(STATUS, { id: 'ben', token }, { 'idempotency-key': 'another' })).text).toBe(STATUS_UPDATED);

    const again = await send(STATUS, body);
    expect([again.status, again.text, isReplayed(again)]).toEqual([200, STATUS_UPDATED, true]);
    expect(await statusOf('ben')).toBe('inactive');
  });

  it('is recognized whether the key is in quotes or not', async () => {
    await send(STATUS, { id: 'ben', token });
    expect(isReplayed(await send(STATUS, { id: 'ben', token }, { 'idempotency-key': KEY.slice(1, -1) }))).toBe(true);
  });

  it('counts whatever its expiry says, until two sweeps an hour apart have found it expired', async () => {
    const isKept = async () => isReplayed(await send(STATUS, { id: 'ben', token }));
    const move = (hours: number) =>
      service.dataSource.query(`UPDATE idempotency_keys SET expires_at = expires_at + interval '${hours} hours'`);
    let sweeps = 0;
    const sweep = async () => {
      passAnHour();
      await send(STATUS, { id: 'max', token }, { 'idempotency-key': `sweep-${++sweeps}` });
    };
    expect(await isKept()).toBe(false);
    const [kept]: { hours: number }[] = await service.dataSource.query(
      'SELECT extract(epoch FROM expires_at - now())::float8 / 3600 AS hours FROM idempotency_keys',
    );
    expect(kept?.hours).toBeCloseTo(24, 1);

    // To a database whose clock is 25 hours ahead for a moment, expiries are 25 hours earlier.
    await move(-25);
    expect(await isKept()).toBe(true);
    await sweep();
    await move(25);
    await sweep();
    expect(await isKept()).toBe(true);

    await move(-25);
    await sweep();
    expect(await isKept()).toBe(true);
    await send(STATUS, { id: 'max', token }, { 'idempotency-key': 'soon' });
    expect(await isKept()).toBe(true);
    await sweep();
    expect(await isKept()).toBe(false);
    expect(await isKept()).toBe(true);
  });

  it('is refused if its caller is no longer authorized', async () => {
    await send(STATUS, { id: 'ben', token });
    await service.dataSource.query(`UPDATE users SET status = 'inactive' WHERE id = 'ada'`);
    const again = await send(STATUS, { id: 'ben', token });
    expect([again.status, again.text]).toEqual([401, NOT_PERMITTED]);
  });
});

describe('a key of a deleted user', () => {
  it('answers nobody who is given the id, and is kept for nobody', async () => {
    const mint = { id: 'cyd', status: 'active' };
    const first = await send(TOKENS, mint);
    const zoe = { caller: 'zoe' };
    expect((await call(service, 'DELETE', '/api/users/ada', zoe)).status).toBe(204);
    const created = { ...zoe, body: { id: 'ada', permissions: ['administer'] } };
    expect((await call(service, 'POST', '/api/users', created)).status).toBe(201);

    const other = await send(TOKENS, mint);
    expect([other.status, isReplayed(other)]).toEqual([200, false]);
    expect(other.text).not.toBe(first.text);
    expect((await send(TOKENS, { id: 'ben', status: 'active' })).status).toBe(422);
  });
});

describe('a different request with the same Idempotency-Key', () => {
  it('is refused, and changes nothing', async () => {
    await send(STATUS, { id: 'ben', token });
    const body = await send(STATUS, { id: 'max', token });
    expect([body.status, JSON.parse(body.text)]).toEqual([422, { status: 'error', message: expect.any(String) }]);
    const path = await send(ASSIGN, { id: 'ben', token });
    expect(path.status).toBe(422);
    expect(path.text).toBe(
      '{"status":422,"message":"This Idempotency-Key has already been used for another request. Please choose a new one."}',
    );
    expect(await statusOf('max')).toBe('active');
  });

  it('is different even if only a space in its body differs', async () => {
    await send(ASSIGN, '{"userIds":["ben"],"workspaces":["atlas"]}');
    expect((await send(ASSIGN, '{"userIds":["ben"],"workspaces": ["atlas"]}')).status).toBe(422);
  });

  it('is different if only the media type of its body differs, and not by its case and its parameters', async () => {
    const ndjson = '{"workspace":{"id":"imported","name":"Imported"}}';
    const as = (type: string) => send('/api/imports?dryRun=false', ndjson, { 'content-type': type });
    expect((await as('application/x-ndjson')).status).toBe(200);
    expect(isReplayed(await as('Application/X-NDJSON ; charset=utf-8'))).toBe(true);
    expect((await as('text/csv')).status).toBe(422);
  });

  it('is accepted from another caller', async () => {
    await send(STATUS, { id: 'ben', token });
    const zoe = { authorization: `Bearer ${service.tokenOf('zoe')}` };
    const other = await send(STATUS, { id: 'ben', token }, zoe);
    expect([other.text, isReplayed(other)]).toEqual([STATUS_UPDATED, false]);
    const calling = { authorization: `Bearer ${service.serviceToken()}` };
    expect(isReplayed(await send(STATUS, { id: 'ben', token }, calling))).toBe(false);
    expect(await statusOf('ben')).toBe('inactive');
  });
});

describe('a request that is refused', () => {
  it('leaves its key free', async () => {
    const body = { userIds: ['new'], workspaces: ['atlas'] };
    expect((await send(ASSIGN, body)).status).toBe(400);
    await service.directory.user('new');
    const again = await send(ASSIGN, body);
    expect([again.text, isReplayed(again)]).toEqual([ASSIGNED, false]);
  });

  it('leaves its key free also for a different request', async () => {
    await service.dataSource.query(`UPDATE users SET status = 'inactive' WHERE id = 'zoe'`);
    expect((await send(STATUS, { id: 'ada', token })).status).toBe(409);
    expect((await send(STATUS, { id: 'ben', token: 'none' })).status).toBe(401);
    expect((await send(STATUS, { id: 'ben', token })).status).toBe(200);
  });
});

describe('an invalid Idempotency-Key', () => {
  it.each([
    [
      ASSIGN,
      '{"status":400,"message":"Please give the Idempotency-Key as 1 to 255 visible ASCII characters, in double quotes or without."}',
    ],
    [
      STATUS,
      '{"status":"error","message":"Please give the Idempotency-Key as 1 to 255 visible ASCII characters, in double quotes or without."}',
    ],
  ])('is refused by %s', async (path, text) => {
    for (const key of ['""', '"', 'a b', 'x'.repeat(256)]) {
      const answer = await send(
        path,
        { id: 'ben', token, userIds: ['ben'], workspaces: ['atlas'] },
        { 'idempotency-key': key },
      );
      expect([answer.status, answer.text]).toEqual([400, text]);
    }
    expect(await statusOf('ben')).toBe('active');
  });

  it('is refused if the header is sent twice', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': ['one', 'two'],
      };
      request(service.url + STATUS, { method: 'POST', headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end(JSON.stringify({ id: 'ben', token }));
    });
    expect(status).toBe(400);
    expect(await statusOf('ben')).toBe('active');
  });
});

describe('the table of idempotency keys', () => {
  it('has no row for requests without a key', async () => {
    for (const id of ['ben', 'ben']) {
      const answer = await post(service.url + STATUS, { id, token }, { authorization: `Bearer ${token}` });
      expect([answer.text, isReplayed(answer)]).toEqual([STATUS_UPDATED, false]);
    }
    expect(await service.dataSource.query('SELECT FROM idempotency_keys')).toEqual([]);
  });

  it('loses expired keys, a hundred at a time', async () => {
    await service.dataSource.query(
      `INSERT INTO idempotency_keys (id, fingerprint, language, expires_at)
       SELECT n::text::bytea, '', 'en', now() - interval '1 second' FROM generate_series(1, 150) AS n`,
    );
    const left: number[] = [];
    for (const key of ['first', 'second', 'third', 'fourth']) {
      if (key !== 'fourth') passAnHour();
      await send(STATUS, { id: 'ben', token }, { 'idempotency-key': key });
      const rows: unknown[] = await service.dataSource.query('SELECT FROM idempotency_keys');
      left.push(rows.length);
    }
    expect(left).toEqual([151, 52, 3, 4]);
  });
});
