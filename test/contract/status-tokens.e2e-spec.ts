import { decodeJwt, type JWTPayload, SignJWT } from 'jose';
import { type Answer, ask, ASSIGNED, assign, manageStatus, NOT_PERMITTED, post, STATUS_UPDATED } from '../support/ask';
import { useTestService } from '../support/test-service';
import { passAnHour } from '../support/pass-an-hour';
import { call } from '../support/record-calls';
import { everyRow, writeSmallDirectory } from '../support/small-directory';

const service = useTestService();

beforeEach(() => writeSmallDirectory(service));

function mint(body: unknown, token = service.tokenOf('ada')): Promise<Answer> {
  return post(`${service.url}/api/users/status-tokens`, body, { authorization: `Bearer ${token}` });
}

async function minted(body: object, token?: string): Promise<string> {
  const answer = await mint(body, token);
  expect(answer.status).toBe(200);
  return (JSON.parse(answer.text) as { token: string }).token;
}

const use = (id: string, token: string, caller = service.tokenOf('zoe')) =>
  manageStatus(service, caller, { id, token });

async function statusOf(id: string): Promise<string | undefined> {
  const rows: { status: string }[] = await service.dataSource.query('SELECT status FROM users WHERE id = $1', [id]);
  return rows[0]?.status;
}

describe('POST /api/users/status-tokens', () => {
  it('answers the token and its expiry, and nothing else', async () => {
    const before = Math.floor(Date.now() / 1000) * 1000;
    const answer = await mint({ id: 'cyd', status: 'active', expiresIn: 60, reason: 'back from leave' });
    const body = JSON.parse(answer.text) as Record<string, unknown>;

    expect(Object.keys(body)).toEqual(['status', 'token', 'expiresAt']);
    expect(body.status).toBe(200);
    const [header] = String(body.token).split('.');
    expect(JSON.parse(Buffer.from(header ?? '', 'base64url').toString())).toMatchObject({ typ: 'user-status+jwt' });
    const expiresAt = new Date(String(body.expiresAt));
    expect(expiresAt.toISOString()).toBe(body.expiresAt);
    expect(decodeJwt(String(body.token)).exp).toBe(expiresAt.getTime() / 1000);
    expect(expiresAt.getTime() - before).toBeGreaterThanOrEqual(60_000);
    expect(expiresAt.getTime() - before).toBeLessThan(70_000);
  });

  it('creates a token for fifteen minutes by default', async () => {
    const { expiresAt } = JSON.parse((await mint({ id: 'cyd', status: 'active' })).text) as { expiresAt: string };
    expect((new Date(expiresAt).getTime() - Date.now()) / 1000).toBeGreaterThan(890);
    expect((new Date(expiresAt).getTime() - Date.now()) / 1000).toBeLessThanOrEqual(900);
  });

  const USER_INVALID = '{"status":400,"message":"Please select a valid User."}';
  const STATUS_INVALID = '{"status":400,"message":"Please choose active or inactive as the status."}';
  const LIFETIME_INVALID =
    '{"status":400,"message":"Please give expiresIn as a whole number of seconds from 1 to 604,800."}';

  it.each<[string, unknown, string]>([
    ['no id', { status: 'active' }, USER_INVALID],
    ['a numeric id', { id: 7, status: 'active' }, USER_INVALID],
    ['an unknown id', { id: 'nobody', status: 'active' }, USER_INVALID],
    ['an id with NUL', { id: 'cyd\0', status: 'active' }, USER_INVALID],
    ['no status', { id: 'cyd' }, STATUS_INVALID],
    ['another status', { id: 'cyd', status: 'Active' }, STATUS_INVALID],
    ['a list as status', { id: 'cyd', status: ['active'] }, STATUS_INVALID],
    ...[0, -1, 1.5, 604_801, '60', true, [60], {}].map((expiresIn): [string, unknown, string] => [
      `expiresIn ${JSON.stringify(expiresIn)}`,
      { id: 'cyd', status: 'active', expiresIn },
      LIFETIME_INVALID,
    ]),
    ['a body that is no object', 'null', USER_INVALID],
  ])('refuses %s', async (_, body, text) => {
    const answer = await mint(body);
    expect(answer.text).toBe(text);
    expect(answer.status).toBe(400);
  });

  it('is recorded in the journal, with the reason', async () => {
    await mint({ id: 'cyd', status: 'active', expiresIn: 60, reason: 'back from leave' });
    const journal = await ask(`${service.url}/api/journal?limit=1`, {
      headers: { authorization: `Bearer ${service.tokenOf('ada')}` },
    });
    expect(JSON.parse(journal.text)).toMatchObject({
      entries: [
        {
          action: 'user.status_token.minted',
          actor: { kind: 'user', id: 'ada' },
          user: 'cyd',
          before: null,
          after: { status: 'active', expiresAt: expect.any(String) as string },
          reason: 'back from leave',
        },
      ],
    });
  });

  it('refuses callers who are not administrators', async () => {
    expect((await mint({ id: 'cyd', status: 'active' }, service.tokenOf('ben'))).status).toBe(403);
    expect((await mint({ id: 'cyd', status: 'active' }, 'nonsense')).status).toBe(401);
    expect((await mint({ id: 'cyd', status: 'active' }, service.serviceToken())).status).toBe(200);
  });
});

describe('a status token', () => {
  it('sets the status that it names', async () => {
    const token = await minted({ id: 'cyd', status: 'active' });
    expect((await use('cyd', token)).text).toBe(STATUS_UPDATED);
    expect(await statusOf('cyd')).toBe('active');
  });

  it('can be used by any active user', async () => {
    expect((await use('cyd', await minted({ id: 'cyd', status: 'active' }), service.tokenOf('ben'))).status).toBe(200);
  });

  it('works once, and sent again answers the same while its status is in effect', async () => {
    const activate = await minted({ id: 'cyd', status: 'active' });
    expect((await use('cyd', activate)).text).toBe(STATUS_UPDATED);
    const rows = await everyRow(service);
    expect((await use('cyd', activate)).text).toBe(STATUS_UPDATED);
    expect(await everyRow(service)).toEqual(rows);

    await use('cyd', await minted({ id: 'cyd', status: 'inactive' }));
    const replay = await use('cyd', activate);
    expect(replay.text).toBe(NOT_PERMITTED);
    expect(replay.status).toBe(401);
    expect(await statusOf('cyd')).toBe('inactive');
  });

  it('is spent even if the user already has its status', async () => {
    const token = await minted({ id: 'ben', status: 'active' });
    expect((await use('ben', token)).text).toBe(STATUS_UPDATED);
    await use('ben', await minted({ id: 'ben', status: 'inactive' }));
    expect((await use('ben', token)).text).toBe(NOT_PERMITTED);
  });

  it('gives its creator and its reason to the journal', async () => {
    await use('cyd', await minted({ id: 'cyd', status: 'active', reason: 'back from leave' }));
    const { body } = await call(service, 'GET', '/api/journal?action=user.status.changed&limit=1');
    expect(body).toMatchObject({
      entries: [{ actor: { id: 'zoe' }, grantedBy: 'ada', user: 'cyd', reason: 'back from leave' }],
    });
  });

  it('is refused for another user', async () => {
    const token = await minted({ id: 'cyd', status: 'active' });
    expect((await use('ben', token)).text).toBe(NOT_PERMITTED);
    expect((await use('cyd', token)).text).toBe(STATUS_UPDATED);
  });

  it('is refused for a new user with the id of a deleted one', async () => {
    const token = await minted({ id: 'cyd', status: 'active' });
    expect((await call(service, 'DELETE', '/api/users/cyd')).status).toBe(204);
    expect((await call(service, 'POST', '/api/users', { body: { id: 'cyd', status: 'inactive' } })).status).toBe(201);
    expect((await use('cyd', token)).text).toBe(NOT_PERMITTED);
    expect(await statusOf('cyd')).toBe('inactive');
    expect((await use('cyd', await minted({ id: 'cyd', status: 'active' }))).text).toBe(STATUS_UPDATED);
  });

  it('is refused while its creator is no administrator, and is not spent by the attempt', async () => {
    const reactivateMyself = await minted({ id: 'ada', status: 'active' });
    await use('ada', await minted({ id: 'ada', status: 'inactive' }, service.tokenOf('zoe')));
    expect((await use('ada', reactivateMyself)).text).toBe(NOT_PERMITTED);
    expect(await statusOf('ada')).toBe('inactive');
    await use('ada', await minted({ id: 'ada', status: 'active' }, service.tokenOf('zoe')));
    expect((await use('ada', reactivateMyself)).text).toBe(STATUS_UPDATED);
  });

  it('is void for good when its issuer was deleted, also if the id comes back', async () => {
    const [token, used] = [
      await minted({ id: 'cyd', status: 'active' }),
      await minted({ id: 'max', status: 'inactive' }),
    ];
    await use('max', used);
    const zoe = { caller: 'zoe' };
    expect((await call(service, 'DELETE', '/api/users/ada', zoe)).status).toBe(204);
    expect((await use('cyd', token)).text).toBe(NOT_PERMITTED);
    const body = { id: 'ada', permissions: ['administer'] };
    expect((await call(service, 'POST', '/api/users', { ...zoe, body })).status).toBe(201);
    for (const caller of ['zoe', 'ada']) {
      expect((await use('cyd', token, service.tokenOf(caller))).text).toBe(NOT_PERMITTED);
    }
    expect(await statusOf('cyd')).toBe('inactive');
    // A token that was used before still has its answer, which changes nothing.
    expect((await use('max', used)).text).toBe(STATUS_UPDATED);
    expect((await use('cyd', await minted({ id: 'cyd', status: 'active' }))).text).toBe(STATUS_UPDATED);
  });

  it('is refused while its creator is demoted, and works again when the creator is an administrator again', async () => {
    const token = await minted({ id: 'cyd', status: 'active' });
    const permit = (permissions: string[]) =>
      call(service, 'PATCH', '/api/users/ada', { caller: 'zoe', body: { permissions } });
    expect((await permit([])).status).toBe(200);
    expect((await use('cyd', token)).text).toBe(NOT_PERMITTED);
    await permit(['administer']);
    expect((await use('cyd', token)).text).toBe(STATUS_UPDATED);
  });

  it('cannot deactivate the last active administrator, and is not spent by the attempt', async () => {
    await use('zoe', await minted({ id: 'zoe', status: 'inactive' }), service.tokenOf('ada'));
    const token = await minted({ id: 'ada', status: 'inactive' });
    const refused = await use('ada', token, service.tokenOf('ben'));
    expect(refused.text).toBe('{"status":"error","message":"The last active administrator cannot be deactivated."}');
    expect(refused.status).toBe(409);
    await use('zoe', await minted({ id: 'zoe', status: 'active' }), service.tokenOf('ada'));
    expect((await use('ada', token)).text).toBe(STATUS_UPDATED);
  });

  it('makes exactly one change when sixteen callers send it at once', async () => {
    const token = await minted({ id: 'ben', status: 'inactive' });
    const answers = await Promise.all(Array.from({ length: 16 }, () => use('ben', token)));
    expect(answers.map(({ text }) => text)).toEqual(Array<string>(16).fill(STATUS_UPDATED));
    expect(await statusOf('ben')).toBe('inactive');
    const { jti, exp } = decodeJwt(token);
    // Kept until the token expires, because without the row it would work again.
    const spent: unknown[] = await service.dataSource.query(
      'SELECT extract(epoch FROM expires_at)::integer AS exp FROM spent_status_tokens WHERE id = $1',
      [jti],
    );
    expect(spent).toEqual([{ exp }]);
  });
});

describe('access tokens and status tokens', () => {
  it('are not accepted instead of each other', async () => {
    const statusToken = await minted({ id: 'ben', status: 'inactive' });
    expect((await assign(service, statusToken, { userIds: ['ben'], workspaces: ['atlas'] })).status).toBe(401);
    expect((await use('ben', statusToken, statusToken)).text).toBe(NOT_PERMITTED);
    expect((await assign(service, service.tokenOf('ada'), { userIds: ['ben'], workspaces: ['atlas'] })).text).toBe(
      ASSIGNED,
    );
  });

  const secret = () => Buffer.from(service.config.statusTokenSecret);
  /** Of a token that would be accepted. */
  const claims = async (): Promise<JWTPayload> => decodeJwt(await minted({ id: 'ben', status: 'inactive' }));

  it.each<[string, object, string]>([
    ['the type of an access token', {}, 'at+jwt'],
    ['an expiry that has passed', { exp: Math.floor(Date.now() / 1000) - 1 }, 'user-status+jwt'],
  ])('a status token with %s is refused', async (_, odd, typ) => {
    const jwt = new SignJWT({ ...(await claims()), ...odd }).setProtectedHeader({ alg: 'HS256', typ });
    expect((await use('ben', await jwt.sign(secret()))).text).toBe(NOT_PERMITTED);
    expect(await statusOf('ben')).toBe('active');
  });

  it.each<[string, object]>([
    ['an expiry beyond all dates', { exp: 9e12 }],
    ['an expiry beyond all numbers', { exp: 1e300 }],
    ['an expiry that is no whole number', { exp: Date.now() / 1000 + 60.5 }],
    ['an id with NUL', { jti: 'a\0b' }],
    ['an empty id', { jti: '' }],
    ['an id of 9,000 characters', { jti: 'j'.repeat(9_000) }],
    ['a maker with NUL', { minted_by: { kind: 'user', id: 'ada\0', id_since: '2000-01-01T00:00:00.000Z' } }],
    ['a maker of no kind', { minted_by: { kind: 'robot', id: 'ada', id_since: '2000-01-01T00:00:00.000Z' } }],
    ['a user as its maker without a time', { minted_by: { kind: 'user', id: 'ada' } }],
    [
      'a maker who has the id since another time',
      { minted_by: { kind: 'user', id: 'ada', id_since: '2000-01-01T00:00:00.000Z' } },
    ],
    [
      'a service with a time as its maker',
      { minted_by: { kind: 'service', id: 'ada', id_since: '2000-01-01T00:00:00.000Z' } },
    ],
    ['a reason of 40,000 characters', { reason: 'x'.repeat(40_000) }],
    ['a user who has the id since another time', { user_id_since: '2000-01-01T00:00:00.000Z' }],
    ['a time that is none', { user_id_since: 'once' }],
    ['no time', { user_id_since: undefined }],
  ])('a status token with %s is refused, although its signature is correct', async (_, odd) => {
    const jwt = new SignJWT({ ...(await claims()), ...odd });
    const token = await jwt.setProtectedHeader({ alg: 'HS256', typ: 'user-status+jwt' }).sign(secret());
    const answer = await use('ben', token);
    expect(answer.text).toBe(NOT_PERMITTED);
    expect(answer.status).toBe(401);
    expect(await statusOf('ben')).toBe('active');
  });

  it('a status token with a critical extension is refused', async () => {
    const header = { alg: 'HS256', typ: 'user-status+jwt', crit: ['b64'], b64: true };
    const token = await new SignJWT(await claims()).setProtectedHeader(header).sign(secret());
    expect((await use('ben', token)).text).toBe(NOT_PERMITTED);
    expect(await statusOf('ben')).toBe('active');
  });

  it('a status token that is signed with another key is refused', async () => {
    const token = await new SignJWT(await claims())
      .setProtectedHeader({ alg: 'HS256', typ: 'user-status+jwt' })
      .sign(Buffer.from('another secret of at least 32 bytes'));
    expect((await use('ben', token)).text).toBe(NOT_PERMITTED);
  });

  it('a handmade status token without such a fault is accepted, so that the refusals above have their stated reason', async () => {
    const token = await new SignJWT(await claims())
      .setProtectedHeader({ alg: 'HS256', typ: 'user-status+jwt' })
      .sign(secret());
    expect((await use('ben', token)).text).toBe(STATUS_UPDATED);
  });
});

describe('spent status tokens', () => {
  const SPENT = 'SELECT id FROM spent_status_tokens';

  it('count whatever their expiry says, until two sweeps an hour apart have found them expired', async () => {
    const move = (hours: number) =>
      service.dataSource.query(`UPDATE spent_status_tokens SET expires_at = expires_at + interval '${hours} hours'`);
    const sweep = async () => {
      passAnHour();
      await minted({ id: 'ben', status: 'active' });
    };
    await service.dataSource.query('DELETE FROM spent_status_tokens');
    const token = await minted({ id: 'cyd', status: 'active' });
    expect((await use('cyd', token)).text).toBe(STATUS_UPDATED);
    await use('cyd', service.tokenOf('ada'), service.tokenOf('ada'));
    expect(await statusOf('cyd')).toBe('inactive');

    // To a database whose clock is hours ahead for a moment, expiries are hours earlier.
    await move(-5);
    await sweep();
    expect((await use('cyd', token)).text).toBe(NOT_PERMITTED);
    await move(5);
    await sweep();
    expect((await use('cyd', token)).text).toBe(NOT_PERMITTED);

    await move(-5);
    await sweep();
    await minted({ id: 'ben', status: 'active' });
    expect(await service.dataSource.query(SPENT)).toHaveLength(1);
    await sweep();
    expect(await service.dataSource.query(SPENT)).toEqual([]);
  });

  it('are kept for an hour after they expire', async () => {
    await service.dataSource.query(
      `INSERT INTO spent_status_tokens (id, expires_at) VALUES ('old', now() - interval '2 hours'), ('new', now())`,
    );
    for (let sweep = 0; sweep < 2; sweep++) {
      passAnHour();
      await minted({ id: 'cyd', status: 'active' });
    }
    const left: { id: string }[] = await service.dataSource.query(`${SPENT} WHERE id IN ('old', 'new')`);
    expect(left).toEqual([{ id: 'new' }]);
  });
});
