import { Gate } from '../races/gate';
import { describeOnServer } from '../support/describe-on-server';
import { eventually } from '../support/eventually';
import { openTestDatabase } from '../support/test-database';
import { startTestService, type TestService } from '../support/test-service';
import type { OpenedDatabase } from '@user-administration/postgres';

/** Their lines are more than the network holds between a service and a reader who takes nothing. */
const USERS = 150_000;

describeOnServer('GET /api/access, with sessions of its own', () => {
  let database: OpenedDatabase;
  let service: TestService;

  beforeAll(async () => {
    database = await openTestDatabase();
    service = await startTestService({ database: { url: database.url, poolSize: 4 } });
    await service.directory.permission('users.administer', 'administrator');
    await service.directory.user('ada', { type: 'administrator', permissions: ['users.administer'] });
    await service.directory.workspace('atlas');
    // A busy machine takes longer than a statement of a request may.
    await service.dataSource.transaction(async (manager) => {
      await manager.query('SET LOCAL statement_timeout = 0');
      await manager.query(
        `INSERT INTO users (id, display_name) SELECT 'u' || n, repeat('x', 200) FROM generate_series(1, ${USERS}) AS n`,
      );
    });
    await service.dataSource.query('ANALYZE users');
  });
  afterAll(async () => {
    await service?.close();
    await database?.close();
  });

  function read(signal?: AbortSignal): Promise<Response> {
    return fetch(`${service.url}/api/access`, {
      headers: { authorization: `Bearer ${service.tokenOf('ada')}` },
      signal,
    });
  }

  /** The sessions that read the register. */
  const sessions = (): Promise<{ pid: number }[]> =>
    service.dataSource.query(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
         AND (query LIKE 'FETCH%' OR query LIKE 'DECLARE%') AND state <> 'idle'`,
    );

  it('is one snapshot, and holds back no change', async () => {
    const response = await read();
    const began = (response.body as ReadableStream<Uint8Array>).getReader();
    const first = await began.read();
    const body = { userIds: ['ada'], workspaces: ['atlas'] };
    const { status } = await fetch(`${service.url}/api/users/workspace-assign`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.tokenOf('ada')}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(status).toBe(200);
    let text = new TextDecoder().decode(first.value);
    for (let part = await began.read(); !part.done; part = await began.read()) {
      text = text.slice(-300) + new TextDecoder().decode(part.value);
    }
    expect(JSON.parse(text.trimEnd().split('\n').at(-1) as string)).toMatchObject({ end: { lines: USERS + 1 } });
    expect(await sessions()).toEqual([]);
  });

  it('ends its query with the caller, also while it waits', async () => {
    const gate = await Gate.close(database.url, 'LOCK TABLE user_permissions IN ACCESS EXCLUSIVE MODE', []);
    try {
      const over = new AbortController();
      const answer = read(over.signal).then(
        () => 'answered',
        () => 'gone',
      );
      await gate.waitFor(1);
      over.abort();
      expect(await answer).toBe('gone');
      await eventually(async () => expect(await sessions()).toEqual([]));
    } finally {
      await gate.open();
    }
  });

  it('ends its transaction when the caller goes away in the middle', async () => {
    const over = new AbortController();
    const response = await read(over.signal);
    await (response.body as ReadableStream<Uint8Array>).getReader().read();
    expect(await sessions()).toHaveLength(1);
    over.abort();
    await eventually(async () => expect(await sessions()).toEqual([]));
  });

  it('breaks the connection after a failure in the middle', async () => {
    const response = await read();
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    const [session] = await sessions();
    await service.dataSource.query('SELECT pg_terminate_backend($1)', [session?.pid]);
    const rest = (async () => {
      for (;;) if ((await reader.read()).done) return 'whole';
    })();
    await expect(rest).rejects.toThrow();
  });
});
