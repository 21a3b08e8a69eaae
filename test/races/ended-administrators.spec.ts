import { EndsClock } from '../../packages/testing/src/ends-clock';
import { Expiry } from '../../src/expiry/expiry';
import { ScimApi } from '../scim/scim-api';
import { post } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { at } from '../support/ends';
import { call } from '../support/record-calls';
import { newestEntries } from '../support/sealed';
import type { TestService } from '../support/test-service';
import { byService } from './record-acts';
import { useReplicas } from './replicas';

const HOUR = 3600;
const UNAUTHENTICATED = { status: 401, message: 'Please sign in with a valid token.' };
const FORBIDDEN = { status: 403, message: 'Only an administrator can do this.' };
const LAST = { status: 409, message: 'At least one active administrator must remain.' };

const carryOut = ({ app }: TestService): Promise<void> => app.get(Expiry).carryOut();

describeOnServer('an administrator whose access has ended', () => {
  const replicas = useReplicas();
  let clock: EndsClock;

  beforeAll(async () => {
    // Only the tests carry ends out.
    for (const { app } of replicas.both) await app.get(Expiry).beforeApplicationShutdown();
    clock = new EndsClock(replicas.both[0].dataSource);
  });

  beforeEach(async () => {
    await clock.set(0);
    const { directory } = replicas;
    await directory.clear();
    for (const way of ['direct', 'workspace', 'group']) await directory.permission(`by-${way}`, 'administrator');
    await directory.permission('users.read', 'member');
    await directory.workspace('staff', ['by-workspace']);
    await directory.workspace('board');
    await directory.group('board-chairs', 'board', ['by-group']);
    await directory.workspace('readers', ['users.read']);
    await directory.workspace('home');
    await directory.user('ben');
  });

  afterEach(async () => {
    expect(await replicas.falseTypes()).toEqual([]);
    expect(replicas.takeFailures()).toEqual([]);
  });

  const administrator = async (id: string, way: 'direct' | 'workspace' | 'group' = 'direct'): Promise<void> => {
    const { directory } = replicas;
    await directory.user(id, { type: 'administrator', permissions: way === 'direct' ? ['by-direct'] : [] });
    if (way === 'workspace') await directory.member(id, 'staff');
    if (way === 'group') await directory.member(id, 'board', ['board-chairs']);
  };

  /** What ends: the account, or the memberships by which somebody is an administrator. */
  type Kind = 'account' | 'workspace' | 'group';
  const KINDS = ['account', 'workspace', 'group'] as const;

  async function ending(id: string, kind: Kind, end = at(HOUR)): Promise<void> {
    await administrator(id, kind === 'account' ? 'direct' : kind);
    if (kind === 'account') await replicas.query('UPDATE users SET active_until = $1 WHERE id = $2', [end, id]);
    for (const place of ['workspace', 'group'])
      if (kind !== 'account')
        await replicas.query(
          `UPDATE ${place}_memberships SET ends_at = $1 FROM users WHERE users.key = user_key AND id = $2`,
          [end, id],
        );
  }

  const get = (path: string, caller: string, turn = 0) => call(replicas.at(turn), 'GET', path, { caller });
  const me = async (caller: string) => {
    const { status, body } = await get('/api/me', caller);
    return status === 200 ? (body as { administrator: boolean; user: { type: string } }) : body;
  };
  const assign = (caller: string, turn = 0) =>
    call(replicas.at(turn), 'POST', '/api/users/workspace-assign', {
      caller,
      body: { userIds: ['ben'], workspaces: ['home'] },
    });

  describe.each(KINDS)('by the end of the %s', (kind) => {
    const refused = kind === 'account' ? UNAUTHENTICATED : FORBIDDEN;

    it('has no authority, whoever holds the record', async () => {
      await administrator('ada');
      await ending('con', kind);
      expect((await assign('con')).status).toBe(200);
      const gate = await replicas.gate(`SELECT FROM users WHERE id = 'con' FOR UPDATE`);
      try {
        await clock.set(HOUR + 1);
        await carryOut(replicas.at(0));
        expect((await assign('con', 1)).body).toEqual(refused);
        expect((await get('/api/users', 'con')).body).toEqual(refused);
        const granted = await post(
          `${replicas.at(0).url}/api/users/manage-status`,
          { id: 'ben', token: replicas.at(0).tokenOf('con') },
          byService(replicas.at(0)).headers,
        );
        expect(granted.status).toBe(401);
        if (kind !== 'account') {
          expect(await me('con')).toMatchObject({ administrator: false, user: { id: 'con', type: 'guest' } });
          expect((await get('/api/users/con/permissions', 'ada')).body).toEqual({
            type: 'guest',
            next: null,
            permissions: [],
          });
        } else expect(await me('con')).toEqual(UNAUTHENTICATED);
      } finally {
        await gate.open();
      }
      await carryOut(replicas.at(0));
      expect((await assign('con')).body).toEqual(refused);
    });

    it('is refused in a change that waited while the end passed', async () => {
      await administrator('ada');
      await ending('con', kind);
      const gate = await replicas.gate(`SELECT FROM users WHERE id = 'ben' FOR UPDATE`);
      const answer = await gate.during(
        () => assign('con'),
        () => clock.set(HOUR + 1),
      );
      expect(answer.body).toEqual(refused);
    });

    const service = () => byService(replicas.at(0));
    const send = (method: string, path: string, body?: object) => () =>
      call(replicas.at(0), method, path, { ...service(), ...(body && { body }) });

    it.each<
      [door: string, way: 'direct' | 'workspace' | 'group', act: () => Promise<{ status: number; body: unknown }>]
    >([
      ['status-assign', 'direct', send('POST', '/api/users/status-assign', { userIds: ['ada'], status: 'inactive' })],
      ['PATCH of the user', 'direct', send('PATCH', '/api/users/ada', { permissions: [] })],
      ['PATCH of the workspace', 'workspace', send('PATCH', '/api/workspaces/staff', { permissions: [] })],
      ['PATCH of the group', 'group', send('PATCH', '/api/groups/board-chairs', { permissions: [] })],
      ['PATCH of the grants', 'direct', send('PATCH', '/api/permissions/by-direct', { grants: 'member' })],
      ['DELETE of the permission', 'direct', send('DELETE', '/api/permissions/by-direct')],
      ['DELETE of the workspace', 'workspace', send('DELETE', '/api/workspaces/staff')],
      ['DELETE of the group', 'group', send('DELETE', '/api/groups/board-chairs')],
      ['DELETE of the user', 'direct', send('DELETE', '/api/users/ada')],
      ['erasure', 'direct', send('DELETE', '/api/users/ada?erase=true')],
      [
        'workspace-unassign',
        'workspace',
        send('POST', '/api/users/workspace-unassign', { userIds: ['ada'], workspaces: ['staff'] }),
      ],
      [
        'import',
        'direct',
        () =>
          call(replicas.at(0), 'POST', '/api/imports', {
            headers: { ...service().headers, 'content-type': 'application/x-ndjson' },
            body: '{"user":{"id":"ada","status":"inactive"}}',
          }),
      ],
      [
        'import of permissions',
        'direct',
        () =>
          call(replicas.at(0), 'POST', '/api/imports', {
            headers: { ...service().headers, 'content-type': 'application/x-ndjson' },
            body: '{"user":{"id":"ada","permissions":[]}}',
          }),
      ],
      ['manage-status', 'direct', () => toggle('ada')],
      ['SCIM', 'direct', () => scim('ada')],
    ])('does not let the last one go by %s', async (door, way, act) => {
      // Ada is an administrator in one way alone, and nobody else in the same.
      await administrator('ada', way);
      const other = kind === 'account' || kind === way ? 'account' : kind;
      await ending('con', other);
      if (door === 'SCIM') await takeOver('ada');
      await clock.set(HOUR + 1);
      const before = await replicas.directory.state();
      const { status, body } = await act();
      if (door === 'SCIM') expect(status).toBe(409);
      else if (door === 'manage-status')
        expect(body).toEqual({ status: 'error', message: 'The last active administrator cannot be deactivated.' });
      else expect(body).toEqual(LAST);
      expect(await replicas.directory.state()).toEqual(before);
      expect((await assign('con')).status).toBe(other === 'account' ? 401 : 403);
      expect((await assign('ada')).status).toBe(200);
    });

    it('still is one if nobody else is, from the first moment on', async () => {
      await ending('con', kind);
      await clock.set(HOUR + 1);
      for (let round = 0; round < 3; round++) {
        expect(await me('con')).toMatchObject({
          administrator: true,
          user: { type: 'administrator', status: 'active' },
        });
        expect((await assign('con', round)).status).toBe(200);
        expect((await get('/api/users/con/permissions', 'con')).body).toMatchObject({
          type: 'administrator',
          permissions: [{ earnsType: true }],
        });
        expect((await get('/api/users/con/memberships', 'con')).body).toMatchObject({
          memberships: kind === 'account' ? [] : [{ workspace: { id: kind === 'group' ? 'board' : 'staff' } }],
        });
        expect((await get('/api/users?status=active&id=con', 'con')).body).toMatchObject({ users: [{ id: 'con' }] });
        expect((await toggle('con')).status).toBe(409);
        expect(
          (await send('POST', '/api/users/status-assign', { userIds: ['con'], status: 'inactive' })()).body,
        ).toEqual(LAST);
        const way = kind === 'account' ? 'direct' : kind;
        expect((await get(`/api/users?permission=by-${way}`, 'con')).body).toMatchObject({ users: [{ id: 'con' }] });
        if (kind === 'workspace' || kind === 'group')
          expect(
            (await get(`/api/users?${kind}=${kind === 'group' ? 'board-chairs' : 'staff'}`, 'con')).body,
          ).toMatchObject({ users: [{ id: 'con' }] });
        for (const query of ['?dryRun=true', '']) {
          expect((await send('PATCH', `/api/permissions/by-${way}${query}`, { grants: 'member' })()).body).toEqual(
            LAST,
          );
          expect((await send('DELETE', `/api/permissions/by-${way}${query}`)()).body).toEqual(LAST);
        }
        expect((await send('DELETE', '/api/users/con')()).body).toEqual(LAST);
        await carryOut(replicas.at(round));
      }
      await administrator('ada');
      await clock.set(HOUR + 90);
      await carryOut(replicas.at(0));
      expect((await assign('con')).body).toEqual(refused);
      expect((await assign('ada')).status).toBe(200);
    });

    it.each([
      ['the one who stays', 'zoe', 'abe', 'abe'],
      ['the one who has gone', 'con', 'zzz', 'zoe'],
    ])('does not change because of another id of %s', async (_, renamed, id, stays) => {
      await ending('con', kind);
      await ending('zoe', kind);
      await clock.set(HOUR + 1);
      expect((await assign('con')).body).toEqual(refused);
      expect((await send('POST', `/api/users/${renamed}/rename`, { id })()).status).toBe(200);
      for (let round = 0; round < 2; round++) {
        expect((await assign(stays)).status).toBe(200);
        expect((await assign(renamed === 'con' ? id : 'con')).body).toEqual(refused);
        await carryOut(replicas.at(round));
      }
    });

    it('of two that end together, keeps the greater id, and of others the later end', async () => {
      for (const [ends, stays, goes] of [
        [{ con: at(HOUR), zoe: at(HOUR) }, 'zoe', 'con'],
        [{ con: at(HOUR + 1), zoe: at(HOUR) }, 'con', 'zoe'],
      ] as const) {
        await clock.set(0);
        await replicas.query('DELETE FROM users');
        await replicas.directory.user('ben');
        for (const [id, end] of Object.entries(ends)) await ending(id, kind, end);
        await clock.set(HOUR + 2);
        const judge = async () => {
          expect((await assign(stays)).status).toBe(200);
          expect((await assign(goes)).body).toEqual(refused);
        };
        await judge();
        // An import that concerns neither, and a change of the one who has gone.
        expect((await send('PATCH', `/api/users/${goes}`, { displayName: 'G' })()).status).toBe(200);
        expect((await send('DELETE', `/api/users/${stays}`)()).body).toEqual(LAST);
        await Promise.all(replicas.both.map(carryOut));
        await judge();
        await carryOut(replicas.at(1));
        await judge();
        expect((await send('DELETE', `/api/users/${goes}`)()).status).toBe(204);
        expect((await assign(stays)).status).toBe(200);
      }
    });
  });

  async function toggle(id: string): Promise<{ status: number; body: unknown }> {
    const service = replicas.at(0);
    const { status, text } = await post(
      `${service.url}/api/users/manage-status`,
      { id, token: service.serviceToken() },
      byService(service).headers,
    );
    return { status, body: JSON.parse(text) as unknown };
  }

  let provider: Awaited<ReturnType<ScimApi['provider']>>;
  async function takeOver(id: string): Promise<void> {
    provider = await ScimApi.at(replicas.at(0)).provider({ workspace: 'home', mayGrantAdministrator: true });
    await provider.create({ userName: id, externalId: id });
  }
  async function scim(id: string): Promise<{ status: number; body: unknown }> {
    const { status, text } = await provider.patch(id, { op: 'replace', value: { active: false } });
    return { status, body: text };
  }

  it('never answers again once it has been refused, whenever the other one goes', async () => {
    await administrator('ada');
    await ending('con', 'account');
    for (let round = 0; round < 20; round++) {
      await replicas.query(`UPDATE users SET status = 'active', active_until = NULL`);
      // By the real clock: the other one goes at some time before or after the end.
      await replicas.query(
        `UPDATE users SET active_until = clock_timestamp() + interval '400 milliseconds' WHERE id = 'con'`,
      );
      const statuses: number[] = [];
      let isOver = false;
      const watching = (async () => {
        while (!isOver) statuses.push((await get('/api/me', 'con', 1)).status);
      })();
      await replicas.query('SELECT pg_sleep($1)', [round * 0.025]);
      const body = { userIds: ['ada'], status: 'inactive' };
      const { status } = await call(replicas.at(0), 'POST', '/api/users/status-assign', {
        ...byService(replicas.at(0)),
        body,
      });
      await replicas.query(`SELECT pg_sleep(GREATEST(0, extract(epoch FROM active_until - clock_timestamp())) + 0.05)
        FROM users WHERE id = 'con'`);
      isOver = true;
      await watching;
      // Con is the only one who is left, and has never been refused, or Ada is left.
      expect([status, [...new Set(statuses)]]).toEqual(status === 200 ? [200, [200]] : [409, expect.any(Array)]);
      const refused = statuses.indexOf(401);
      if (refused >= 0) expect(new Set(statuses.slice(refused))).toEqual(new Set([401]));
    }
  }, 60_000);

  it('does not count if the access ends before the change can be committed', async () => {
    await administrator('ada');
    await ending('con', 'account');
    for (const [ahead, outcome] of [
      ['100 milliseconds', 'UA001'],
      ['1 minute', 'done'],
    ]) {
      await replicas.query(`UPDATE users SET active_until = clock_timestamp() + $1::interval WHERE id = 'con'`, [
        ahead,
      ]);
      const gate = await replicas.gate(`UPDATE users SET status = 'inactive' WHERE id = 'ada'`);
      const done = gate.execute('SELECT require_administrator(NULL)').then(
        () => 'done',
        ({ code }: { code: string }) => code,
      );
      expect(await done).toBe(outcome);
      await gate.open();
    }
  });

  it('lets one who has ended be taken out, also while the only other one has ended', async () => {
    await ending('con', 'workspace');
    await ending('zoe', 'workspace');
    await clock.set(HOUR + 1);
    const headers = byService(replicas.at(0)).headers;
    const body = { userIds: ['con'], workspaces: ['staff'] };
    expect((await call(replicas.at(0), 'POST', '/api/users/workspace-unassign', { headers, body })).status).toBe(200);
    expect((await assign('zoe')).status).toBe(200);
    const imported = await call(replicas.at(0), 'POST', '/api/imports', {
      headers: { ...headers, 'content-type': 'application/x-ndjson' },
      body: '{"user":{"id":"zoe","displayName":"Zoe"}}',
    });
    expect(imported.status).toBe(200);
  });

  it('gives one whose account has ended another end, who stays inactive, while the only other one has ended', async () => {
    await ending('con', 'account');
    await ending('zoe', 'account');
    await clock.set(HOUR + 1);
    const until = at(3 * HOUR);
    const request = { ...byService(replicas.at(0)), body: { activeUntil: until } };
    const answer = await call(replicas.at(0), 'PATCH', '/api/users/con', request);
    expect(answer).toMatchObject({ status: 200, body: { status: 'inactive', activeUntil: until } });
    expect((await assign('con')).body).toEqual(UNAUTHENTICATED);
    expect((await assign('zoe')).status).toBe(200);
    expect(await newestEntries(replicas.at(0).dataSource, 2, { user: 'con' })).toMatchObject([
      { action: 'user.status.changed', before: { status: 'active' }, after: { status: 'inactive' } },
      { action: 'user.updated', after: { activeUntil: until } },
    ]);
  });

  it('lets a reader read until the end of the membership, whoever holds the record', async () => {
    await administrator('ada');
    await replicas.directory.user('rea', { type: 'member' });
    await replicas.directory.member('rea', 'readers');
    await replicas.query(`UPDATE workspace_memberships SET ends_at = $1`, [at(HOUR)]);
    expect((await get('/api/users', 'rea')).status).toBe(200);
    const gate = await replicas.gate(`SELECT FROM users WHERE id = 'rea' FOR UPDATE`);
    await clock.set(HOUR + 1);
    expect((await get('/api/users', 'rea')).body).toEqual(FORBIDDEN);
    expect(await me('rea')).toMatchObject({ administrator: false, user: { type: 'guest' } });
    expect(await me('rea')).not.toHaveProperty('mayRead');
    await gate.open();
    await carryOut(replicas.at(0));
  });

  it('holds back no other while somebody else holds the administrator guard', async () => {
    await administrator('ada');
    await ending('con', 'account');
    await replicas.directory.member('ben', 'home');
    await replicas.query(
      `UPDATE workspace_memberships SET ends_at = $1 FROM users WHERE key = user_key AND id = 'ben'`,
      [at(HOUR)],
    );
    await clock.set(HOUR + 1);
    const gate = await replicas.gate('SELECT FROM administrator_guard FOR UPDATE');
    await carryOut(replicas.at(0));
    expect((await replicas.directory.state()).workspaces).toEqual([]);
    expect(await replicas.query(`SELECT status FROM users WHERE id = 'con'`)).toEqual([{ status: 'active' }]);
    await gate.open();
    await carryOut(replicas.at(1));
    expect(await replicas.query(`SELECT status FROM users WHERE id = 'con'`)).toEqual([{ status: 'inactive' }]);
  });

  it('tries again what was refused at a time that lies ahead', async () => {
    await ending('con', 'workspace');
    await clock.set(HOUR + 1);
    await replicas.query(`UPDATE workspace_memberships SET end_refused_at = '2051-01-01'`);
    await administrator('ada');
    await carryOut(replicas.at(0));
    expect((await replicas.directory.state()).workspaces).toEqual([]);
    expect((await assign('con')).body).toEqual(FORBIDDEN);
  });

  it('tells once that an end was refused, and keeps what is no part of it', async () => {
    await ending('con', 'workspace');
    await replicas.directory.member('con', 'home');
    await replicas.query(
      `UPDATE workspace_memberships SET ends_at = $1 FROM workspaces WHERE key = workspace_key AND id = 'home'`,
      [at(HOUR + 1)],
    );
    await clock.set(HOUR + 2);
    await carryOut(replicas.at(0));
    expect((await replicas.directory.state()).workspaces).toEqual(['con in staff']);
    expect(await newestEntries(replicas.at(0).dataSource, 1, { user: 'con' })).toMatchObject([
      { action: 'user.workspaces.unassigned', before: { workspaces: ['home'], groups: [] } },
    ]);
  });

  it('ends its transaction after a second without a statement', async () => {
    await replicas.directory.member('ben', 'home');
    await replicas.query('UPDATE workspace_memberships SET ends_at = $1', [at(HOUR)]);
    await clock.set(HOUR + 1);
    const { rows } = await replicas.both[0].dataSource.transaction(async (manager) => {
      await manager.query(
        `SELECT carry_out_ends(1000, 5000, 'users.read', '-infinity', 0, '-infinity', 0, NULL, 'system', 'user-admin expiry',
           NULL, NULL, NULL, NULL)`,
      );
      return { rows: await manager.query<object[]>('SHOW idle_in_transaction_session_timeout') };
    });
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: '1s' }]);
  });
});
