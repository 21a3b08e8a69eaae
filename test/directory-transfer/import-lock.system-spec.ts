import { EventEmitter, once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { EntityManager } from 'typeorm';
import type { DirectoryRecord } from '../../src/contract/directory';
import { importDirectory, type ImportSummary } from '../../src/plugins/transfer/import-directory';
import type { ImportReport } from '../../src/plugins/transfer/import-progress';
import { Transactions } from '../../src/database/transactions';
import type { OpenedDatabase } from '@user-administration/postgres';
import { openTestDatabase } from '../support/test-database';
import { startTestService, type TestService } from '../support/test-service';
import { UserTypeService } from '../../src/users/user-type/user-type.service';
import { Gate } from '../races/gate';
import { ask, assign, ASSIGNED, post } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { UserAdmin } from '../cli/user-admin';
import { IMPORT, TransferDatabase } from './transfer-database';
import { querySealed } from '../support/sealed';

describeOnServer('imports at the same time', () => {
  let database: TransferDatabase;

  beforeAll(async () => {
    database = await TransferDatabase.open();
  });
  afterAll(() => database.close());

  it('take turns, so that the second finds the records of the first', async () => {
    await database.import({ workspace: { id: 'atlas', name: 'Atlas' } });
    const gate = await Gate.close(database.url, 'SELECT FROM workspaces WHERE id = $1 FOR UPDATE', ['atlas']);
    const atlas = { workspace: { id: 'atlas', name: 'Atlas' } };
    const first = database.import(atlas, { user: { id: 'ada', email: 'ada@example.com' } });
    await gate.waitFor(1);
    const second = database.import(atlas, { user: { id: 'ada', displayName: 'Ada' } });
    const third = database.refusal({ user: { id: 'eve', email: 'ADA@example.com' } });
    await gate.waitFor(3);
    await gate.open();

    await expect(first).resolves.toMatchObject({ created: { user: 1 } });
    await expect(second).resolves.toMatchObject({ created: { user: 0 }, rowsWritten: 1 });
    await expect(third).resolves.toBe('Line 1: the email "ADA@example.com" belongs to the user "ada"');
  });

  it('hold no lock while they read their input', async () => {
    await database.import({ user: { id: 'ben' } });
    const steps = new EventEmitter();
    const reading = once(steps, 'reading');
    const read = once(steps, 'read');
    const slow = async function* () {
      yield '{"user":{"id":"ben","displayName":"Slow"}}';
      steps.emit('reading');
      await read;
    };
    const slowImport = database.importLines(slow());
    await reading;
    await database.import({ user: { id: 'ben', displayName: 'Quick' } });
    steps.emit('read');
    await expect(slowImport).resolves.toMatchObject({ rowsWritten: 1 });
  });

  it('repeat their transaction after a deadlock, from the input that they have read', async () => {
    await database.import({ user: { id: 'ada' } }, { user: { id: 'zoe' } });
    // The import locks ada before zoe, by key; the other transaction locks them the other way round, and PostgreSQL ends the import.
    const gate = await Gate.close(database.url, 'SELECT FROM users WHERE id = $1 FOR UPDATE', ['zoe']);
    await gate.execute(`SET deadlock_timeout = '1h'`);
    const importing = database.import(
      { user: { id: 'ada', displayName: 'Ada again' } },
      { user: { id: 'zoe', displayName: 'Zoe again' } },
    );
    await gate.waitFor(1);
    await gate.execute('SELECT FROM users WHERE id = $1 FOR UPDATE', ['ada']);
    await gate.open();
    await expect(importing).resolves.toMatchObject({ rowsWritten: 2 });
  });

  it('lock users in the order of their keys, not of their ids or rows', async () => {
    await database.import({ user: { id: 'zulu' } });
    await database.import({ user: { id: 'alpha' } });
    await database.import({ user: { id: 'zulu', displayName: 'Zulu' } });
    const lock = 'SELECT FROM users WHERE id = $1 FOR UPDATE';
    const gate = await Gate.close(database.url, lock, ['zulu']);
    const importing = database.import(
      { user: { id: 'alpha', displayName: 'Alpha' } },
      { user: { id: 'zulu', displayName: 'Zulu again' } },
    );
    await gate.waitFor(1);
    await gate.execute(`${lock} NOWAIT`, ['alpha']).finally(() => gate.open());
    await expect(importing).resolves.toMatchObject({ rowsWritten: 2 });
  });

  it('do not hold the administrator guard while they append to the journal', async () => {
    await database.import(
      { permission: { id: 'administer', grants: 'administrator' } },
      { user: { id: 'ada', permissions: ['administer'] } },
    );
    const gate = await Gate.close(database.url, 'LOCK TABLE journal_inbox IN SHARE MODE', []);
    const importing = database.import({ user: { id: 'ada', displayName: 'Ada', status: 'active' } });
    await gate.waitFor(1);
    await gate.execute('SELECT FROM administrator_guard FOR UPDATE NOWAIT').finally(() => gate.open());
    await expect(importing).resolves.toMatchObject({ rowsWritten: 1 });
  });

  it('do not take the last administrator away together with another transaction', async () => {
    const database = await TransferDatabase.open();
    await database.import(
      { permission: { id: 'administer', grants: 'administrator' } },
      { user: { id: 'ada', permissions: ['administer'] } },
      { user: { id: 'zoe', permissions: ['administer'] } },
    );
    const gate = await Gate.close(database.url, 'SELECT FROM administrator_guard FOR UPDATE', []);
    await gate.execute(`UPDATE users SET status = 'inactive' WHERE id = 'zoe'`);
    const refusal = database.refusal({ user: { id: 'ada', status: 'inactive' } });
    await gate.waitFor(1);
    await gate.commit();
    expect(await refusal).toBe('This would deactivate 1 user, and leave the directory without an active administrator');
    await database.close();
  });

  it('find a record that another transaction creates while they wait', async () => {
    await database.import({ user: { id: 'ben' } });
    const gate = await Gate.close(database.url, 'SELECT FROM users WHERE id = $1 FOR UPDATE', ['ben']);
    await gate.execute(`INSERT INTO users (id) VALUES ('new')`);
    const importing = database.import(
      { user: { id: 'ben', displayName: 'Ben' } },
      { user: { id: 'new', displayName: 'New' } },
    );
    await gate.waitFor(1);
    await gate.commit();
    await expect(importing).resolves.toMatchObject({ rowsWritten: 2, created: { user: 0 } });
  });
});

describeOnServer('an import that waits', () => {
  let database: OpenedDatabase;
  let service: TestService;

  beforeAll(async () => {
    database = await openTestDatabase();
    service = await startTestService({ database });
  });
  afterAll(async () => {
    await service.close();
    await database.close();
  });

  /** Imports these, and counts the attempts. */
  function begin(...records: DirectoryRecord[]): { attempts: number; done: Promise<ImportSummary> } {
    const lines = records.map((record) => JSON.stringify(record));
    const onProgress = ({ phase, done }: ImportReport) =>
      (began.attempts += phase === 'Checking' && done === 0 ? 1 : 0);
    const options = { userTypes: service.app.get(UserTypeService), onProgress };
    const began = { attempts: 0, done: importDirectory(service.dataSource, lines, IMPORT, options) };
    return began;
  }

  it('has a time limit for idleness, and none for its statements', async () => {
    const limits = (manager: EntityManager): Promise<object[]> =>
      manager.query(`SELECT name, setting FROM pg_settings WHERE setting <> '0' AND name IN (
        'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')`);
    expect(await limits(service.dataSource.manager)).toHaveLength(3);
    const userTypes = service.app.get(UserTypeService);
    for (const [idleTransactionMs, setting] of [
      [1_234, '1234'],
      [undefined, '60000'],
    ] as const) {
      const finish = async (manager: EntityManager) =>
        expect(await limits(manager)).toEqual([{ name: 'idle_in_transaction_session_timeout', setting }]);
      const options = { userTypes, finish, idleTransactionMs };
      await importDirectory(service.dataSource, ['{"user":{"id":"ida"}}'], IMPORT, options);
    }
  });

  it('blocks others for no longer than that when its process is stopped, and then imports nothing', async () => {
    const { directory, dataSource } = service;
    const url = service.config.databaseUrl ?? '';
    await directory.workspace('frozen');
    await directory.user('jan');
    const tool = new UserAdmin({
      DATABASE_URL: url,
      DATABASE_IDLE_TRANSACTION_TIMEOUT_MS: '200',
      JWT_SECRET: 'a secret for these tests, of more than 32 bytes',
    });
    const gate = await Gate.close(url, 'SELECT FROM users WHERE id = $1 FOR UPDATE', ['jan']);
    const child = tool.start(['directory', 'import', '-']);
    const ended = Promise.all([text(child.stderr), once(child, 'close')]);
    try {
      child.stdin.end('{"workspace":{"id":"frozen","name":"Thawed"}}\n{"user":{"id":"jan","displayName":"Jan"}}\n');
      await gate.waitFor(1);
      child.kill('SIGSTOP');
      await gate.open();
      const authorization = `Bearer ${service.serviceToken()}`;
      const headers = { authorization, 'content-type': 'application/merge-patch+json' };
      const change = { method: 'PATCH', headers, body: '{"name":"Changed meanwhile"}' };
      expect((await ask(`${service.url}/api/workspaces/frozen`, change)).status).toBe(200);
      child.kill('SIGCONT');
      expect(await ended).toEqual([
        'user-admin: The database ended the transaction: the connection broke, or this process was stopped for longer than ' +
          'DATABASE_IDLE_TRANSACTION_TIMEOUT_MS. Nothing was changed; run the command again.\n',
        [1, null],
      ]);
    } finally {
      child.kill('SIGKILL');
      await ended;
      tool.dispose();
    }
    expect(await dataSource.query(`SELECT name FROM workspaces WHERE id = 'frozen'`)).toEqual([
      { name: 'Changed meanwhile' },
    ]);
    expect(await dataSource.query(`SELECT display_name FROM users WHERE id = 'jan'`)).toEqual([{ display_name: null }]);
  });

  it.each([
    ['permission', `INSERT INTO permissions (id, grants) VALUES ('fleeting', 'member')`, { permissions: ['fleeting'] }],
    ['workspace', `INSERT INTO workspaces (id, name) VALUES ('fleeting', 'Fleeting')`, { workspaces: ['fleeting'] }],
    [
      'group',
      `INSERT INTO groups (id, name, workspace_key) SELECT 'fleeting', 'Fleeting', key FROM workspaces WHERE id = 'lasting'`,
      { workspaces: ['lasting'], groups: ['fleeting'] },
    ],
  ])('refers to a %s that was created while it waited only once it has locked it', async (kind, create, lists) => {
    const { directory, dataSource } = service;
    const url = service.config.databaseUrl ?? '';
    const [waiting, lasting, late] = [`${kind}-waits`, 'lasting', `${kind}-late`];
    if (kind === 'group') await directory.workspace(lasting);
    await directory.user(waiting);
    const locks = await Gate.close(url, 'SELECT FROM users WHERE id = $1 FOR UPDATE', [waiting]);
    const writes = await Gate.close(url, `INSERT INTO workspaces (id, name) VALUES ($1, 'Late')`, [late]);
    const importing = begin({ workspace: { id: late, name: 'Late' } }, { user: { id: waiting, ...lists } });
    await locks.waitFor(1);
    await dataSource.query(create);
    await locks.open();
    // The import may still count as one that waits for the first gate.
    while ((await writes.holding()) === 0);
    const deletion = dataSource.query(`SELECT FROM ${kind}s WHERE id = 'fleeting' FOR UPDATE NOWAIT`);
    await expect(deletion.finally(() => writes.open())).rejects.toThrow('could not obtain lock');
    const summary = await importing.done;
    expect([importing.attempts, summary.created]).toEqual([2, { permission: 0, workspace: 1, group: 0, user: 0 }]);
    const held: { id: string }[] = await dataSource.query(
      `SELECT k.id FROM ${kind === 'permission' ? 'user_permissions' : `${kind}_memberships`} AS h
       JOIN ${kind}s AS k ON k.key = h.${kind}_key JOIN users ON users.key = h.user_key WHERE users.id = $1`,
      [waiting],
    );
    expect(held).toEqual([{ id: 'fleeting' }]);
  });

  it('does not block changes to workspaces and groups that it only mentions', async () => {
    const { directory } = service;
    await directory.permission('reading', 'member');
    await directory.workspace('atlas', ['reading']);
    await directory.group('atlas-editors', 'atlas', ['reading']);
    for (const id of ['ben', 'dee']) await directory.user(id);
    const gate = await Gate.close(service.config.databaseUrl ?? '', 'SELECT FROM users WHERE id = $1 FOR UPDATE', [
      'ben',
    ]);
    const importing = begin(
      { workspace: { id: 'atlas', name: 'Atlas', permissions: ['reading'] } },
      { group: { id: 'atlas-editors', name: 'Editors', workspace: 'atlas' } },
      { user: { id: 'ben', workspaces: ['atlas'], groups: ['atlas-editors'] } },
    );
    await gate.waitFor(1);
    const body = { userIds: ['dee'], workspaces: ['atlas'], groups: ['atlas-editors'] };
    expect((await assign(service, service.serviceToken(), body)).text).toBe(ASSIGNED);
    await gate.open();
    await expect(importing.done).resolves.toMatchObject({ records: 3 });
    expect(await directory.typeOf('dee')).toBe('member');
    expect(await directory.typeOf('ben')).toBe('member');
  });

  it('locks each record once, so that it cannot deadlock with an assignment', async () => {
    const { directory } = service;
    const url = service.config.databaseUrl ?? '';
    const lock = 'SELECT FROM workspaces WHERE id = $1 FOR UPDATE';
    await directory.permission('editing', 'member');
    for (const id of ['one', 'two', 'three', 'four']) await directory.workspace(id);
    await directory.user('cyd');
    const { retries } = service.app.get(Transactions);
    const gate = await Gate.close(url, lock, ['four']);
    const importing = begin(
      { workspace: { id: 'one', name: 'one', permissions: ['editing'] } },
      { user: { id: 'eve', workspaces: ['three', 'four'] } },
    );
    await gate.waitFor(1);
    const other = await Gate.close(url, lock, ['two']);
    await other.execute(`SET deadlock_timeout = '1h'`);
    const three = other.execute(lock, ['three']);
    await gate.waitFor(2);
    // If the import still had to raise its lock on `one`, it would wait for this assignment, which would wait for `two`.
    const assigning = assign(service, service.serviceToken(), { userIds: ['cyd'], workspaces: ['one', 'two'] });
    await gate.waitFor(3);
    await gate.open();
    await expect(importing.done).resolves.toMatchObject({ created: { user: 1 } });
    await three;
    await other.open();
    expect((await assigning).text).toBe(ASSIGNED);
    expect([importing.attempts, service.app.get(Transactions).retries]).toEqual([1, retries]);
    expect(await directory.typeOf('cyd')).toBe('member');
  });

  it('repeats its transaction if a record has changed since it chose its locks', async () => {
    const { directory } = service;
    await directory.permission('helping', 'manager');
    for (const id of ['five', 'six']) await directory.workspace(id);
    await directory.user('fay', { type: 'manager' });
    await directory.member('fay', 'six');
    const gate = await Gate.close(service.config.databaseUrl ?? '', 'SELECT FROM workspaces WHERE id = $1 FOR UPDATE', [
      'five',
    ]);
    const importing = begin(
      { workspace: { id: 'five', name: 'five' } },
      { workspace: { id: 'six', name: 'six', permissions: [] } },
    );
    await gate.waitFor(1);
    await gate.execute(`
      INSERT INTO workspace_permissions (workspace_key, permission_key)
      SELECT workspaces.key, permissions.key FROM workspaces, permissions
      WHERE workspaces.id = 'six' AND permissions.id = 'helping'`);
    await gate.commit();
    await importing.done;
    expect(importing.attempts).toBe(2);
    expect(await directory.typeOf('fay')).toBe('guest');
  });

  it.each([
    {
      kind: 'user',
      taken: `INSERT INTO users (id, email) VALUES ('somebody', 'gil@example.com')`,
      waiting: { user: { id: 'gil', email: 'gil@example.com' } },
      created: { user: { id: 'hal', displayName: 'Hal' } },
    },
    {
      kind: 'workspace',
      taken: `INSERT INTO permissions (id, grants) VALUES ('teaching', 'guest')`,
      waiting: { permission: { id: 'teaching', grants: 'member' } },
      created: { workspace: { id: 'seven', name: 'Seven' } },
    },
  ] as const)(
    'repeats its transaction if a request creates a $kind of the file while it writes',
    async ({ kind, taken, waiting, created }) => {
      const { directory, dataSource } = service;
      if (kind === 'user') await directory.user('gil');
      const gate = await Gate.close(service.config.databaseUrl ?? '', taken, []);
      const importing = begin(waiting, created);
      await gate.waitFor(1);
      const [body] = Object.values(created);
      const headers = { authorization: `Bearer ${service.serviceToken()}` };
      expect((await post(`${service.url}/api/${kind}s`, { ...body, name: 'Else' }, headers)).status).toBe(201);
      await gate.open();
      const { created: made } = await importing.done;
      const entries: unknown[] = await querySealed(
        dataSource,
        'SELECT FROM journal_entries WHERE action = $1 AND $2 IN (user_id, workspace_ids[1])',
        [`${kind}.created`, body.id],
      );
      expect(entries).toHaveLength(1);
      expect([made[kind], importing.attempts]).toEqual([0, 2]);
    },
  );
});
