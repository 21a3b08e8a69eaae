import {
  manageStatus,
  NOT_PERMITTED,
  post,
  STATUS_UPDATED,
  steadyHeaders,
  UNAUTHENTICATED,
  assign,
} from '../support/ask';
import { useTestService } from '../support/test-service';
import { handmade, inSeconds } from '../support/forged-tokens';
import { everyRow, writeSmallDirectory } from '../support/small-directory';

const service = useTestService();

beforeEach(() => writeSmallDirectory(service));

async function statusOf(id: string): Promise<string | undefined> {
  const [row]: { status: string }[] = await service.dataSource.query('SELECT status FROM users WHERE id = $1', [id]);
  return row?.status;
}

describe('manage-status', () => {
  it('toggles the status if the token in the body is an access token of the calling administrator', async () => {
    const ada = service.tokenOf('ada');

    const answer = await manageStatus(service, ada, { id: 'ben', token: ada });
    expect(answer.text).toBe(STATUS_UPDATED);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await statusOf('ben')).toBe('inactive');

    expect((await manageStatus(service, ada, { id: 'ben', token: ada })).text).toBe(STATUS_UPDATED);
    expect(await statusOf('ben')).toBe('active');
  });

  it.each<[string, () => string, () => string]>([
    ["a guest, by an administrator's token", () => service.tokenOf('ben'), () => service.tokenOf('ada')],
    ['an administrator, by the token of another', () => service.tokenOf('zoe'), () => service.tokenOf('ada')],
    ['a service, by its own token', () => service.serviceToken(), () => service.serviceToken()],
    ["a service, by an administrator's token", () => service.serviceToken(), () => service.tokenOf('ada')],
    ["an administrator, by a service's token", () => service.tokenOf('ada'), () => service.serviceToken()],
  ])('can be called by %s', async (_, caller, token) => {
    expect((await manageStatus(service, caller(), { id: 'cyd', token: token() })).text).toBe(STATUS_UPDATED);
    expect(await statusOf('cyd')).toBe('active');
  });

  it('changes only the status and updatedAt of the user', async () => {
    const read = (): Promise<{ id: string }[]> =>
      service.dataSource.query('SELECT id, type, status, updated_at, xmin::text FROM users ORDER BY id');
    const before = await read();
    await manageStatus(service, service.tokenOf('ada'), {
      id: 'max',
      token: service.tokenOf('ada'),
      status: 'inactive',
    });

    const changed = (await read()).filter((row, index) => JSON.stringify(row) !== JSON.stringify(before[index]));
    expect(changed).toMatchObject([{ id: 'max', type: 'manager', status: 'inactive' }]);
  });
});

describe('immediately after a change of status', () => {
  it('all tokens of a deactivated user are refused, in the header and in the body', async () => {
    const [ada, zoe] = [service.tokenOf('ada'), service.tokenOf('zoe')];
    const assignment = { userIds: ['ben'], workspaces: ['atlas'] };
    expect((await assign(service, zoe, assignment)).status).toBe(200);

    expect((await manageStatus(service, ada, { id: 'zoe', token: ada })).text).toBe(STATUS_UPDATED);

    expect((await assign(service, zoe, assignment)).text).toBe(UNAUTHENTICATED);
    expect((await manageStatus(service, zoe, { id: 'ben', token: ada })).text).toBe(NOT_PERMITTED);
    expect((await manageStatus(service, ada, { id: 'ben', token: zoe })).text).toBe(NOT_PERMITTED);

    expect((await manageStatus(service, ada, { id: 'zoe', token: ada })).text).toBe(STATUS_UPDATED);
    expect((await assign(service, zoe, assignment)).status).toBe(200);
  });

  it('administrators who have deactivated themselves cannot activate themselves again', async () => {
    const ada = service.tokenOf('ada');

    expect((await manageStatus(service, ada, { id: 'ada', token: ada })).text).toBe(STATUS_UPDATED);
    expect((await manageStatus(service, ada, { id: 'ada', token: ada })).text).toBe(NOT_PERMITTED);
    expect(await statusOf('ada')).toBe('inactive');
  });

  it('the token of a former administrator permits nothing, whatever its claims', async () => {
    const [ada, zoe] = [service.tokenOf('ada'), service.tokenOf('zoe', { scope: 'users:administer' })];
    await service.dataSource.query(`UPDATE users SET type = 'member' WHERE id = 'zoe'`);

    expect((await manageStatus(service, ada, { id: 'ben', token: zoe })).text).toBe(NOT_PERMITTED);
  });
});

describe('the last active administrator', () => {
  const REFUSED = '{"status":"error","message":"The last active administrator cannot be deactivated."}';

  it.each<[string, () => string]>([
    ['themself', () => service.tokenOf('ada')],
    ['a service', () => service.serviceToken()],
  ])('cannot be deactivated by %s', async (_, token) => {
    await manageStatus(service, service.tokenOf('ada'), { id: 'zoe', token: service.tokenOf('ada') });
    const before = await everyRow(service);

    const answer = await manageStatus(service, token(), { id: 'ada', token: token() });
    expect(answer.text).toBe(REFUSED);
    expect(answer.status).toBe(409);
    expect(await everyRow(service)).toEqual(before);
  });
});

describe('manage-status refuses with the same answer', () => {
  const ada = (): string => service.tokenOf('ada');
  const good = (): object => ({ id: 'ben', token: ada() });

  it.each<[string, () => string | undefined, () => unknown]>([
    ['no header token', () => undefined, good],
    ['a header token that is none', () => 'nonsense', good],
    ['a forged header token', () => forgedBy('another secret'), good],
    ['the header token of nobody', () => service.tokenOf('nobody'), good],
    ['the header token of an inactive user', () => service.tokenOf('cyd'), good],
    ['the header token of an inactive administrator', () => service.tokenOf('old-admin'), good],
    ['an expired header token', () => service.tokenOf('ada', { expiresIn: -1 }), good],
    ['nothing right at all', () => undefined, () => ({})],
    ['an empty body', ada, () => ''],
    ['id absent', ada, () => ({ token: ada() })],
    ['id null', ada, () => ({ ...good(), id: null })],
    ['id of nobody', ada, () => ({ ...good(), id: 'nobody' })],
    ['id in another case', ada, () => ({ ...good(), id: 'BEN' })],
    ['id with a space', ada, () => ({ ...good(), id: ' ben' })],
    ['token absent', ada, () => ({ id: 'ben' })],
    ['token null', ada, () => ({ id: 'ben', token: null })],
    ['token with its scheme', ada, () => ({ id: 'ben', token: `Bearer ${ada()}` })],
    ['token expired', ada, () => ({ id: 'ben', token: service.tokenOf('ada', { expiresIn: -1 }) })],
    ['token wrongly signed', ada, () => ({ id: 'ben', token: forgedBy('another secret') })],
    ['token of another purpose', ada, () => ({ id: 'ben', token: ofAnotherPurpose() })],
    ['token of a manager', ada, () => ({ id: 'ben', token: service.tokenOf('max') })],
    ['token of a guest', ada, () => ({ id: 'ben', token: service.tokenOf('ben') })],
    ['token of a guest who claims', ada, () => ({ id: 'ben', token: claiming('ben') })],
    ['token of an inactive administrator', ada, () => ({ id: 'ben', token: service.tokenOf('old-admin') })],
    ['token of one who claims', ada, () => ({ id: 'ben', token: claiming('old-admin') })],
    ['token of nobody', ada, () => ({ id: 'ben', token: service.tokenOf('nobody') })],
    [
      'token of a service without the scope',
      ada,
      () => ({ id: 'ben', token: service.tokenOf('robot', { scope: 'a b' }) }),
    ],
  ])('%s', async (_, token, body) => {
    const before = await everyRow(service);
    // Whether a header token was sent is all that a refusal tells, and its caller knows that.
    const plain = await manageStatus(service, token() && 'none', good());
    expect(plain.headers.get('www-authenticate')).toBe(token() ? 'Bearer error="invalid_token"' : 'Bearer');

    const answer = await manageStatus(service, token(), body());
    expect(answer.text).toBe(NOT_PERMITTED);
    expect(answer.status).toBe(401);
    expect(steadyHeaders(answer)).toEqual(steadyHeaders(plain));
    expect(await everyRow(service)).toEqual(before);
  });

  it('with the same answer in the language of the caller', async () => {
    const answer = await post(`${service.url}/api/users/manage-status`, {}, { 'accept-language': 'de-CH, en;q=0.5' });

    expect(answer.text).toBe('{"status":"error","message":"Ungültiges Token oder ungültige Benutzer-ID"}');
    expect(answer.headers.get('content-language')).toBe('de');
  });
});

function forgedBy(secret: string): string {
  return handmade(secret, { sub: 'ada', exp: inSeconds(300) });
}

function ownSecret(): string {
  const { key } = service.config.accessTokens;
  if (key.kind !== 'secret') throw new Error('This suite signs with a secret.');
  return key.secret;
}

function ofAnotherPurpose(): string {
  return handmade(ownSecret(), { sub: 'ada', exp: inSeconds(300) }, { alg: 'HS256', typ: 'user-status+jwt' });
}

/** Claims that other systems treat as a role. */
function claiming(sub: string): string {
  const roles = { type: 'administrator', role: 'administrator', roles: ['administrator'], admin: true };
  return handmade(ownSecret(), { sub, exp: inSeconds(300), scope: 'users:administer', ...roles });
}
