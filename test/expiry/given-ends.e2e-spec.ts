import { Expiry } from '../../src/expiry/expiry';
import { type Answer, ask } from '../support/ask';
import { at, BEN, DAY, HOUR, useEndsClock } from '../support/ends';
import { newestEntries } from '../support/sealed';
import { everyRow, writeSmallDirectory } from '../support/small-directory';
import { useTestService } from '../support/test-service';

const service = useTestService();
const clock = useEndsClock(service);

beforeAll(() => service.app.get(Expiry).beforeApplicationShutdown());
beforeEach(() => writeSmallDirectory(service));

async function send(method: string, path: string, body?: object, headers: object = {}): Promise<[number, unknown]> {
  const answer: Answer = await ask(`${service.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${service.tokenOf('ada')}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return [answer.status, answer.text === '' ? undefined : JSON.parse(answer.text)];
}

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown;
const account = (fields: object) => ({
  id: 'new',
  email: null,
  displayName: null,
  type: 'guest',
  status: 'active',
  activeUntil: null,
  createdAt: TIME,
  updatedAt: TIME,
  permissions: [],
  ...fields,
});

describe('the end of an account', () => {
  it('can be given with a new user, moved and taken away', async () => {
    expect(await send('POST', '/api/users', { id: 'new', activeUntil: HOUR })).toEqual([
      201,
      account({ activeUntil: HOUR }),
    ]);
    const patch = (activeUntil: unknown) => send('PATCH', '/api/users/new', { activeUntil });
    expect(await patch(DAY)).toEqual([200, account({ activeUntil: DAY })]);
    expect(await patch(DAY)).toEqual([200, account({ activeUntil: DAY })]);
    expect(await patch(null)).toEqual([200, account({})]);
    const entries = await newestEntries(service.dataSource, 3, { user: 'new' });
    expect(entries.map(({ action, before, after }) => ({ action, before, after }))).toEqual([
      { action: 'user.updated', before: { activeUntil: DAY }, after: { activeUntil: null } },
      { action: 'user.updated', before: { activeUntil: HOUR }, after: { activeUntil: DAY } },
      {
        action: 'user.created',
        before: null,
        after: {
          email: null,
          displayName: null,
          status: 'active',
          activeUntil: HOUR,
          permissions: [],
          workspaces: [],
          groups: [],
        },
      },
    ]);
  });

  it('is told in UTC with milliseconds, whatever the offset', async () => {
    const year = new Date().getUTCFullYear() + 1;
    expect(await send('PATCH', '/api/users/ben', { activeUntil: `${year}-07-01T12:00:00.123456+02:00` })).toMatchObject(
      [200, { activeUntil: `${year}-07-01T10:00:00.123Z` }],
    );
    expect(await send('GET', '/api/users?id=ben')).toMatchObject([
      200,
      { users: [{ activeUntil: `${year}-07-01T10:00:00.123Z` }] },
    ]);
  });

  it.each([
    ['no offset', '2031-01-01T00:00:00'],
    ['no time', 'tomorrow'],
    ['nothing', ''],
    ['a number', 5],
    ['a list', [HOUR]],
    ['the past', '2020-01-01T00:00:00Z'],
    ['more than ten years', at(10 * 366 * 86_400)],
    ['no day', '2031-02-30T00:00:00Z'],
  ])('is refused with %s', async (_, activeUntil) => {
    const before = await everyRow(service);
    const message = 'Please give a valid value for activeUntil.';
    const problem = { accept: 'application/problem+json' };
    for (const [method, path, body] of [
      ['POST', '/api/users', { id: 'new', activeUntil }],
      ['PATCH', '/api/users/ben', { activeUntil }],
    ] as const) {
      expect(await send(method, path, body)).toEqual([400, { status: 400, message }]);
      expect(await send(method, path, body, problem)).toMatchObject([
        400,
        { code: 'field.invalid', errors: [{ pointer: '/activeUntil' }] },
      ]);
    }
    expect(await everyRow(service)).toEqual(before);
  });

  it('stays when the user is deactivated and activated before it', async () => {
    await send('PATCH', '/api/users/ben', { activeUntil: HOUR });
    for (const status of ['inactive', 'active'])
      await send('POST', '/api/users/status-assign', { userIds: ['ben'], status });
    expect(await send('GET', '/api/users/ben')).toMatchObject([200, { status: 'active', activeUntil: HOUR }]);
    await clock.advance(3700);
    await service.app.get(Expiry).carryOut();
    expect(await send('GET', '/api/users/ben')).toMatchObject([200, { status: 'inactive', activeUntil: null }]);
  });
});

describe('the end of a membership', () => {
  const assign = (body: object, query = '', headers: object = {}) =>
    send('POST', `/api/users/workspace-assign${query}`, body, headers);

  it('of a dry run is told, and not kept', async () => {
    const before = await everyRow(service);
    expect(await assign({ ...BEN, until: HOUR }, '?dryRun=true')).toEqual([
      200,
      {
        status: 200,
        message: 'Nothing was changed: this was a dry run.',
        result: {
          users: [
            {
              id: 'ben',
              workspaces: ['atlas'],
              groups: ['atlas-managers'],
              until: { workspaces: { atlas: HOUR }, groups: { 'atlas-managers': HOUR } },
              type: { before: 'guest', after: 'manager' },
            },
          ],
          unchanged: 0,
          refused: [],
        },
      },
    ]);
    expect(await everyRow(service)).toEqual(before);
  });

  it('holds for whom a lenient request knows', async () => {
    expect(
      await assign({ ...BEN, userIds: ['nobody', 'ben'], until: HOUR }, '', { prefer: 'handling=lenient' }),
    ).toMatchObject([
      200,
      {
        result: {
          users: [{ id: 'ben', until: { workspaces: { atlas: HOUR } } }],
          refused: [{ pointer: '/userIds/0', id: 'nobody', code: 'user.invalid' }],
        },
      },
    ]);
  });

  it.each([
    ['in UTC with milliseconds, nothing rounded up', '-07-01T12:00:00.9999999+02:00', '-07-01T10:00:00.999Z'],
    ['at the largest offset', '-07-01T12:00:00+23:59', '-06-30T12:01:00.000Z'],
    ['at the smallest offset', '-07-01T12:00-23:59', '-07-02T11:59:00.000Z'],
  ])('is told %s', async (_, given, told) => {
    const year = new Date().getUTCFullYear() + 1;
    const membership = {
      workspace: { id: 'atlas', name: 'atlas', until: `${year}${told}` },
      groups: [{ id: 'atlas-managers', name: 'atlas-managers', until: `${year}${told}` }],
    };
    await assign({ ...BEN, until: `${year}${given}` });
    expect(await send('GET', '/api/users/ben/memberships')).toEqual([200, { memberships: [membership], next: null }]);
    await assign(BEN);
    await send('POST', '/api/users/workspace-unassign', {
      userIds: ['ben'],
      workspaces: ['atlas'],
      until: year + given,
    });
    expect(await send('GET', '/api/users/ben/memberships')).toEqual([200, { memberships: [membership], next: null }]);
  });

  it.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00', '2020-01-01T00:00:00Z'])(
    'is refused at %s, as whatever has passed or is too far ahead',
    async (until) => {
      for (const operation of ['workspace-assign', 'workspace-unassign'])
        expect(await send('POST', `/api/users/${operation}`, { ...BEN, until })).toEqual([
          400,
          { status: 400, message: 'Please give a time in the future, ten years ahead at most.' },
        ]);
    },
  );

  it('is taken away by null as by nothing', async () => {
    await assign({ ...BEN, until: HOUR });
    expect(await assign({ ...BEN, until: null })).toEqual([
      200,
      { status: 200, message: 'Users successfully assigned to workspaces.' },
    ]);
    expect(await send('GET', '/api/users/ben/memberships')).toEqual([
      200,
      {
        memberships: [
          { workspace: { id: 'atlas', name: 'atlas' }, groups: [{ id: 'atlas-managers', name: 'atlas-managers' }] },
        ],
        next: null,
      },
    ]);
  });

  it('is judged after the reason, and before the users', async () => {
    expect(await assign({ ...BEN, reason: '', until: 'soon' })).toEqual([
      400,
      { status: 400, message: 'Please give a reason of 1 to 500 characters.' },
    ]);
    const malformed = {
      status: 400,
      message: 'Please give a time with an offset, such as 2027-01-31T18:00:00+01:00.',
    };
    const many = Array.from({ length: 10_001 }, (_, n) => `u${n}`);
    for (const until of ['soon', '', 5, {}, ['x'], true, '2027-01-31', '2027-01-31T18:00', '2027-02-30T00:00Z'])
      expect(await assign({ ...BEN, userIds: many, until })).toEqual([400, malformed]);
    const past = '2020-01-01T00:00:00Z';
    expect(await assign({ ...BEN, userIds: many, until: past })).toEqual([
      400,
      { status: 400, message: 'This request is too large: at most 10,000 users.' },
    ]);
    expect(await assign({ ...BEN, userIds: ['nobody'], until: past })).toEqual([
      400,
      { status: 400, message: 'Please give a time in the future, ten years ahead at most.' },
    ]);
  });

  it.each(['T18:00:00+0200', 't18:00+02', 'T16:00:00z', 't16:00:00.000Z', 'T18:00:00.0+02:00'])(
    'can be written as %s',
    async (time) => {
      const day = `${new Date().getUTCFullYear() + 1}-01-31`;
      const told = `${day}T16:00:00.000Z`;
      await assign({ ...BEN, until: day + time });
      expect(await send('GET', '/api/users/ben/memberships')).toMatchObject([
        200,
        { memberships: [{ workspace: { until: told } }] },
      ]);
      expect(await send('PATCH', '/api/users/ben', { activeUntil: day + time })).toMatchObject([
        200,
        { activeUntil: told },
      ]);
    },
  );

  it('that is the same again changes nothing', async () => {
    await assign({ ...BEN, until: HOUR });
    const before = await everyRow(service);
    const [newest] = await newestEntries(service.dataSource, 1);
    await assign({ ...BEN, until: HOUR });
    await send('POST', '/api/users/workspace-unassign', { ...BEN, until: HOUR });
    await send('POST', '/api/users/workspace-unassign', { userIds: ['ben'], workspaces: ['atlas'], until: DAY });
    expect(await everyRow(service)).toEqual(before);
    expect((await newestEntries(service.dataSource, 1))[0]?.id).toBe(newest?.id);
  });

  it('is carried out for more than a thousand at once', async () => {
    const userIds = Array.from({ length: 2_500 }, (_, index) => `user-${index}`);
    await service.dataSource.query('INSERT INTO users (id) SELECT unnest($1::text[])', [userIds]);
    expect(await assign({ ...BEN, userIds, until: HOUR })).toMatchObject([200, {}]);
    await clock.advance(3700);
    await service.app.get(Expiry).carryOut();
    expect(
      await service.dataSource.query('SELECT FROM group_memberships UNION ALL SELECT FROM workspace_memberships'),
    ).toEqual([]);
    expect(await service.dataSource.query(`SELECT FROM users WHERE id LIKE 'user-%' AND type <> 'guest'`)).toEqual([]);
  });
});
