import { connect } from 'node:net';
import type { DeliveryDto } from '../../src/plugins/webhooks/dto/delivery.dto';
import type { WebhookWithSecretDto } from '../../src/plugins/webhooks/dto/webhook.dto';
import { Callers } from '../../src/auth/callers';
import { startTestService, type TestService } from '../support/test-service';
import { Transactions } from '../../src/database/transactions';
import { Expiry } from '../../src/expiry/expiry';
import { User } from '../../src/directory/user.entity';
import { lockForChange } from '../../src/records/lock-for-change';
import { ChangePermissionsService } from '../../src/users/change-permissions.service';
import { UnassignUsersService } from '../../src/users/unassign-users.service';
import { type Answer, ask, NOT_PERMITTED, UNAUTHENTICATED } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { eventually } from '../support/eventually';
import { readAnswer } from '../support/raw-http';
import { everyRow, writeSmallDirectory } from '../support/small-directory';
import { Receiver } from '../webhooks/receiver';
import { Gate } from './gate';
import { querySealed } from '../support/sealed';

const FORBIDDEN = '{"status":403,"message":"Only an administrator can do this."}';

/** What can happen to Ada, who calls, while her request waits. */
const LOSSES = [
  ['deactivated', `UPDATE users SET status = 'inactive' WHERE id = 'ada'`, UNAUTHENTICATED],
  ['demoted', `UPDATE users SET type = 'manager' WHERE id = 'ada'`, FORBIDDEN],
  ['deleted', `DELETE FROM users WHERE id = 'ada'`, UNAUTHENTICATED],
  // After the request's transaction has begun.
  [
    'ended',
    `UPDATE users SET active_until = date_trunc('milliseconds', clock_timestamp()) WHERE id = 'ada'`,
    UNAUTHENTICATED,
  ],
] as const;

/** Another administrator is given Ada's id. */
const REPLACED = `DELETE FROM users WHERE id = 'ada'; INSERT INTO users (id, type) VALUES ('ada', 'administrator')`;
const IN_PROGRESS =
  '{"status":409,"message":"A request with this Idempotency-Key is still being processed. Please try again shortly."}';

const row = (table: string, id: string) => `SELECT FROM ${table} WHERE id = '${id}' FOR UPDATE`;
const BEN = row('users', 'ben');
const WEBHOOK = 'SELECT FROM webhook_subscriptions FOR UPDATE';

describeOnServer('the authority of a caller', () => {
  let service: TestService;
  let receiver: Receiver;
  let webhook: WebhookWithSecretDto;
  let delivery: DeliveryDto;
  let keys = 0;

  beforeAll(async () => {
    service = await startTestService({ environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
    // An end that it carries out would be told to the webhook.
    await service.app.get(Expiry).beforeApplicationShutdown();
    receiver = await Receiver.open();
    await writeSmallDirectory(service);
    await service.directory.member('max', 'atlas');
    await service.directory.workspace('staff', ['administer']);
    await service.directory.user('sue', { type: 'administrator' });
    await service.directory.member('sue', 'staff');
    // Nothing else goes with Ada when she is deleted.
    await service.dataSource.query(`DELETE FROM users WHERE id = 'ada'`);
    webhook = await made('POST', '/api/webhooks', { url: receiver.url, events: ['user.status.changed'] });
    const token = service.serviceToken();
    await made('POST', '/api/users/manage-status', { id: 'cyd', token });
    await eventually(async () => {
      const page = await made<{ deliveries: DeliveryDto[] }>('GET', `/api/webhooks/${webhook.id}/deliveries`);
      delivery = page.deliveries[0] as DeliveryDto;
      expect(delivery).toMatchObject({ state: 'delivered' });
    });
  });
  afterAll(async () => {
    await service.close();
    await receiver.close();
  });
  beforeEach(async () => {
    await service.dataSource.query(
      `INSERT INTO users (id, type) VALUES ('ada', 'administrator')
       ON CONFLICT (id) DO UPDATE SET type = 'administrator', status = 'active', active_until = NULL`,
    );
  });

  function call(token: string, method: string, path: string, body?: object): Promise<Answer> {
    return ask(`${service.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(method === 'POST' && { 'idempotency-key': `key-${keys++}` }),
      },
      body: body && JSON.stringify(body),
    });
  }

  async function made<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await call(service.serviceToken(), method, path, body);
    expect(answer).toMatchObject({ status: path === '/api/webhooks' ? 201 : 200 });
    return JSON.parse(answer.text) as T;
  }

  /** Everything that a change could leave behind, but for what happens to Ada herself. */
  async function traces(): Promise<string[]> {
    const rows: { line: string }[] = await querySealed(
      service.dataSource,
      ['journal_changes', 'idempotency_keys', 'webhook_subscriptions', 'webhook_deliveries', 'spent_status_tokens']
        .map((table) => `SELECT '${table} ' || t.xmin || ' ' || md5(t::text) AS line FROM ${table} AS t`)
        .join(' UNION ALL ') + ' ORDER BY line',
    );
    const directory = await everyRow(service);
    return [...directory.filter((line) => !line.includes('"ada"')), ...rows.map(({ line }) => line)];
  }

  /** Lets a request wait for a lock, does something meanwhile, and ends the transaction that has the lock. */
  async function during(
    lock: string,
    request: () => Promise<Answer>,
    meanwhile = 'SELECT',
    end: 'open' | 'commit' = 'open',
  ): Promise<Answer> {
    const gate = await Gate.close(service.config.databaseUrl as string, lock, []);
    return gate.during(request, async () => {
      await service.dataSource.query(meanwhile);
      if (end === 'open') await gate.open();
    });
  }

  /** The same for a request that must leave no trace. */
  async function interrupted(lock: string, request: () => Promise<Answer>, meanwhile: string): Promise<Answer> {
    const before = await traces();
    const answer = await during(lock, request, meanwhile);
    expect(await traces()).toEqual(before);
    return answer;
  }

  const asAda = (method: string, path: string, body?: object) => () =>
    call(service.tokenOf('ada'), method, path.replace('WEBHOOK', webhook.id).replace('DELIVERY', delivery.id), body);

  type Operation = [name: string, lock: string, request: () => Promise<Answer>];
  const operation = (lock: string, method: string, path: string, body?: object): Operation => {
    return [`${method} ${path} ${JSON.stringify(body) ?? ''}`, lock, asAda(method, path, body)];
  };

  const ATLAS = row('workspaces', 'atlas');
  const MANAGERS = row('groups', 'atlas-managers');
  const READ = row('permissions', 'read');
  const MAX = row('users', 'max');
  const GUARD = 'SELECT FROM administrator_guard FOR UPDATE';

  /** Each waits for another transaction that has the same id or email. */
  const OF_TAKEN_IDS: Operation[] = [
    operation(`INSERT INTO users (id) VALUES ('kim')`, 'POST', '/api/users', { id: 'kim' }),
    operation(`INSERT INTO workspaces (id, name) VALUES ('delta', 'D')`, 'POST', '/api/workspaces', {
      id: 'delta',
      name: 'D',
    }),
    operation(
      `INSERT INTO groups (id, name, workspace_key) SELECT 'readers', 'R', key FROM workspaces WHERE id = 'atlas'`,
      ...(['POST', '/api/groups', { id: 'readers', name: 'R', workspace: 'atlas' }] as const),
    ),
    operation(`INSERT INTO permissions (id, grants) VALUES ('teach', 'member')`, 'POST', '/api/permissions', {
      id: 'teach',
      grants: 'member',
    }),
    operation(`INSERT INTO users (id, email) VALUES ('kim', 'kim@x.io')`, 'PATCH', '/api/users/ben', {
      email: 'KIM@x.io',
    }),
  ];

  /** Each waits for what it locks last. Max is in Atlas, and Sue an administrator by Staff. */
  const OPERATIONS: Operation[] = [
    operation(ATLAS, 'POST', '/api/users', { workspaces: ['atlas'] }),
    operation(BEN, 'PATCH', '/api/users/ben', { displayName: 'Ben', permissions: ['read'] }),
    operation(BEN, 'DELETE', '/api/users/ben'),
    operation(READ, 'POST', '/api/workspaces', { name: 'Delta', permissions: ['read'] }),
    operation(MAX, 'PATCH', '/api/workspaces/atlas', { permissions: ['manage'] }),
    operation(MAX, 'DELETE', '/api/workspaces/atlas'),
    operation(ATLAS, 'POST', '/api/groups', { name: 'Readers', workspace: 'atlas' }),
    operation(MANAGERS, 'PATCH', '/api/groups/atlas-managers', { name: 'Owners' }),
    operation(MANAGERS, 'DELETE', '/api/groups/atlas-managers'),
    operation(MAX, 'PATCH', '/api/permissions/read', { grants: 'manager' }),
    operation(MAX, 'DELETE', '/api/permissions/read'),
    ...OF_TAKEN_IDS,
    operation(BEN, 'POST', '/api/users/workspace-assign', { userIds: ['ben'], workspaces: ['atlas'] }),
    // He is assigned already.
    operation(MAX, 'POST', '/api/users/workspace-assign', { userIds: ['max'], workspaces: ['atlas'] }),
    operation(BEN, 'POST', '/api/users/workspace-assign', { userIds: ['ben', 'nobody'], workspaces: ['atlas'] }),
    operation(MAX, 'POST', '/api/users/workspace-unassign', { userIds: ['max'], workspaces: ['atlas'] }),
    operation(GUARD, 'POST', '/api/users/workspace-unassign', { userIds: ['sue'], workspaces: ['staff'] }),
    operation(BEN, 'POST', '/api/users/status-assign', { userIds: ['ben'], status: 'inactive' }),
    operation(GUARD, 'POST', '/api/users/status-assign', { userIds: ['zoe'], status: 'inactive' }),
    operation(BEN, 'POST', '/api/users/status-assign?dryRun=true', { userIds: ['ben'], status: 'inactive' }),
    operation(BEN, 'POST', '/api/users/status-tokens', { id: 'ben', status: 'inactive' }),
    operation('SELECT pg_advisory_xact_lock(7225108021)', 'POST', '/api/webhooks', {
      url: 'http://127.0.0.1:9/',
      events: ['user.status.changed'],
    }),
    operation(WEBHOOK, 'PATCH', '/api/webhooks/WEBHOOK', { enabled: false }),
    operation(WEBHOOK, 'DELETE', '/api/webhooks/WEBHOOK'),
    operation(WEBHOOK, 'POST', '/api/webhooks/WEBHOOK/secret'),
    operation('SELECT FROM webhook_deliveries FOR UPDATE', 'POST', '/api/webhooks/WEBHOOK/deliveries/DELIVERY/replay'),
  ];

  it('is judged before anything is said about a record', async () => {
    const change = service.app.get(Transactions).run(async (manager) => {
      await manager.query(`UPDATE users SET type = 'manager' WHERE id = 'ada'`);
      const nobody = { entity: User, id: 'nobody', lock: 'for_no_key_update', toBody: () => ({}) } as const;
      await lockForChange(manager, { actor: { kind: 'user', id: 'ada' } }, nobody);
    });
    await expect(change).rejects.toMatchObject({ code: 'auth.administrator_required' });
  });

  describe.each(LOSSES)('an administrator who is %s meanwhile', (_, loss, refusal) => {
    it.each(OPERATIONS)('no longer does %s', async (_, lock, request) => {
      expect((await interrupted(lock, request, loss)).text).toBe(refusal);
    });
  });

  describe.each(LOSSES)('an administrator who is %s meanwhile', (_, loss, refusal) => {
    afterEach(async () => {
      for (const table of ['users', 'groups', 'workspaces', 'permissions'])
        await service.dataSource.query(`DELETE FROM ${table} WHERE id IN ('kim', 'readers', 'delta', 'teach')`);
    });

    it.each(OF_TAKEN_IDS)('does not learn that the other transaction kept it: %s', async (_, lock, request) => {
      expect((await during(lock, request, loss, 'commit')).text).toBe(refusal);
    });
  });

  const refusalOf = (work: () => Promise<unknown>) => async (): Promise<Answer> => {
    const code = await work().then(
      () => 'done',
      (error: Error) => error.message,
    );
    return { status: 0, headers: new Headers(), text: code };
  };
  const ADA = { actor: { kind: 'user', id: 'ada' } } as const;

  it.each([
    ['deactivated', LOSSES[0][1], 'auth.token_invalid'],
    ['demoted', LOSSES[1][1], 'auth.administrator_required'],
  ])('also ends for calls inside the process, when the caller is %s meanwhile', async (_, loss, code) => {
    const unassign = refusalOf(() =>
      service.app.get(UnassignUsersService).execute({ userIds: ['max'], workspaces: ['atlas'] }, ADA),
    );
    const revoke = refusalOf(() =>
      service.app.get(ChangePermissionsService).execute({ holder: 'user', id: 'ben', grant: ['manage'] }, ADA),
    );
    expect((await interrupted(MAX, unassign, loss)).text).toBe(code);
    expect((await interrupted(BEN, revoke, 'SELECT')).text).toBe(code);
  });

  const manageStatus = (caller: string, id: string, token: string) => () =>
    call(caller, 'POST', '/api/users/manage-status', { id, token });

  it.each([
    ['the caller is deactivated', 'max', `UPDATE users SET status = 'inactive' WHERE id = 'max'`],
    ['the granter is deactivated', 'zoe', LOSSES[0][1]],
    ['the granter is demoted', 'zoe', LOSSES[1][1]],
    ['the administrator who is both is deactivated', 'ada', LOSSES[0][1]],
  ])('no longer changes a status when %s', async (_, caller, loss) => {
    const request = manageStatus(service.tokenOf(caller), 'ben', service.tokenOf('ada'));
    const restore = `UPDATE users SET status = 'active' WHERE id = 'max'`;
    expect((await during(BEN, request, loss)).text).toBe(NOT_PERMITTED);
    expect(await statusOf('ben')).toBe('active');
    await service.dataSource.query(restore);
  });

  it('no longer spends a status token whose creator is demoted meanwhile', async () => {
    const minted = await call(service.tokenOf('ada'), 'POST', '/api/users/status-tokens', {
      id: 'ben',
      status: 'inactive',
    });
    const { token } = JSON.parse(minted.text) as { token: string };
    const request = manageStatus(service.serviceToken(), 'ben', token);
    expect((await interrupted(BEN, request, LOSSES[1][1])).text).toBe(NOT_PERMITTED);
  });

  it('no longer spends a status token whose creator is replaced by another administrator meanwhile', async () => {
    const body = { id: 'ben', status: 'inactive' };
    const minted = await call(service.tokenOf('ada'), 'POST', '/api/users/status-tokens', body);
    const { token } = JSON.parse(minted.text) as { token: string };
    const request = manageStatus(service.serviceToken(), 'ben', token);
    expect((await interrupted(BEN, request, REPLACED)).text).toBe(NOT_PERMITTED);
  });

  it.each([
    ['makes a status token', { id: 'ben', status: 'inactive' }, UNAUTHENTICATED],
    // A retry is a request of the other administrator, so this one must not be done.
    ['stores a key', { userIds: ['ben'], status: 'inactive' }, IN_PROGRESS],
  ])('is not that of another administrator with the id: no longer %s', async (_, body, refusal) => {
    const path = `/api/users/${'id' in body ? 'status-tokens' : 'status-assign'}`;
    const request = asAda('POST', path, body);
    expect((await interrupted(BEN, request, REPLACED)).text).toBe(refusal);
  });

  it('does not let a deactivated administrator activate themself again', async () => {
    const request = manageStatus(service.tokenOf('ada'), 'ada', service.tokenOf('ada'));
    expect((await during(LOSSES[0][1], request, 'SELECT', 'commit')).text).toBe(NOT_PERMITTED);
    expect(await statusOf('ada')).toBe('inactive');
  });

  it('also ends while a change waits for the administrator guard', async () => {
    const request = manageStatus(service.tokenOf('ada'), 'zoe', service.tokenOf('ada'));
    expect((await interrupted(GUARD, request, LOSSES[0][1])).text).toBe(NOT_PERMITTED);
    const revoke = refusalOf(() =>
      service.app.get(ChangePermissionsService).execute({ holder: 'user', id: 'zoe', revoke: ['administer'] }, ADA),
    );
    await service.dataSource.query(`UPDATE users SET status = 'active' WHERE id = 'ada'`);
    expect((await interrupted(GUARD, revoke, LOSSES[0][1])).text).toBe('auth.token_invalid');
  });

  it.each([
    ['an inactive user', 'inactive', UNAUTHENTICATED],
    ['a guest', 'active', FORBIDDEN],
  ])('ends for a service when %s with its subject is created meanwhile', async (_, status, refusal) => {
    const request = () =>
      call(service.serviceToken(), 'POST', '/api/users/workspace-assign', { userIds: ['ben'], workspaces: ['atlas'] });
    const meanwhile = `INSERT INTO users (id, status) VALUES ('calling-service', '${status}')`;
    expect((await during(BEN, request, meanwhile)).text).toBe(refusal);
    await service.dataSource.query(`DELETE FROM users WHERE id = 'calling-service'`);
  });

  it('is judged without waiting for another change to the caller', async () => {
    const gate = await Gate.close(
      service.config.databaseUrl as string,
      `UPDATE users SET display_name = 'Ada' WHERE id = 'ada'`,
      [],
    );
    const assign = asAda('POST', '/api/users/workspace-assign', { userIds: ['max'], workspaces: ['atlas'] });
    expect(await assign().finally(() => gate.open())).toMatchObject({ status: 200 });
  });

  it('is judged without keeping others from changing the caller', async () => {
    const gate = await Gate.close(service.config.databaseUrl as string, 'LOCK TABLE journal_inbox IN SHARE MODE', []);
    const waiting = asAda('POST', '/api/users/workspace-assign', { userIds: ['ben'], workspaces: ['atlas'] })();
    await gate.waitFor(1);
    await gate.execute(`SELECT FROM users WHERE id = 'ada' FOR NO KEY UPDATE NOWAIT`).finally(() => gate.open());
    expect(await waiting).toMatchObject({ status: 200 });
  });

  const CREATION = '{"url":"http://127.0.0.1:9/","events":["user.status.changed"]}';

  /** Ada's request to create a webhook, whose last byte comes only after something else has happened. */
  async function creatingSlowly(meanwhile: string, headers = ''): Promise<Answer> {
    const callers = service.app.get(Callers);
    const identify = callers.identify.bind(callers);
    const admitted = new Promise<void>((resolve) => {
      jest.spyOn(callers, 'identify').mockImplementationOnce(async (claims) => {
        const caller = await identify(claims);
        resolve();
        return caller;
      });
    });
    const { hostname, port, host } = new URL(service.url);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.write(
      `POST /api/webhooks HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nAuthorization: Bearer ${service.tokenOf('ada')}\r\n` +
        `${headers}Content-Type: application/json\r\nContent-Length: ${CREATION.length}\r\n\r\n${CREATION.slice(0, -1)}`,
    );
    await admitted;
    await service.dataSource.query(meanwhile);
    socket.write(CREATION.slice(-1));
    return readAnswer(socket);
  }

  it.each(LOSSES)('ends for an administrator who is %s before the body is complete', async (_, loss, refusal) => {
    const before = await traces();
    expect((await creatingSlowly(loss)).text).toBe(refusal);
    expect(await traces()).toEqual(before);
  });

  it('does not cover a stored answer after another administrator was given the id before the body is complete', async () => {
    const key = `Idempotency-Key: replaced\r\n`;
    expect(await creatingSlowly('SELECT', key)).toMatchObject({ status: 201 });
    expect((await creatingSlowly(REPLACED, key)).text).toBe(IN_PROGRESS);
  });

  it.each(LOSSES)(
    'does not cover a stored answer after the administrator is %s before the body is complete',
    async (name, loss, refusal) => {
      const key = `Idempotency-Key: ${name}\r\n`;
      const first = await creatingSlowly('SELECT', key);
      expect(first).toMatchObject({ status: 201 });
      expect((await creatingSlowly('SELECT', key)).text).toBe(first.text);
      expect((await creatingSlowly(loss, key)).text).toBe(refusal);
    },
  );

  async function statusOf(id: string): Promise<string | undefined> {
    const [user]: { status: string }[] = await service.dataSource.query('SELECT status FROM users WHERE id = $1', [id]);
    return user?.status;
  }
});
