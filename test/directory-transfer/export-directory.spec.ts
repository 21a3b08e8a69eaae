import { ReplicaReads } from '../../src/database/replica-reads';
import type { DirectoryRecord } from '../../src/contract/directory';
import { JournalReader } from '../../src/journal/journal-reader';
import { DEMO_DIRECTORY, loadDemoDirectory } from '../../src/directory-transfer/demo-directory';
import { exportDirectory } from '../../src/directory-transfer/export-directory';
import { DEMO_WEBHOOK } from '../../src/webhooks/demo-webhook';
import { UserTypeRule } from '../../src/users/user-type.rule';
import { UserTypeService } from '../../src/users/user-type.service';
import { describeOnServer } from '../support/describe-on-server';
import { TransferDatabase } from './transfer-database';

const MORE_THAN_THE_POOL = 11;

describe('an export', () => {
  let database: TransferDatabase;

  beforeAll(async () => {
    database = await TransferDatabase.open();
  });
  beforeEach(() => database.directory.clear());
  afterAll(() => database.close());

  it('writes the records as the contract shows them', async () => {
    await database.importLines(DEMO_DIRECTORY);
    const lines = await database.export();
    expect(lines).toContain(
      '{"permission":{"id":"users.administer","description":"Administer users","grants":"administrator"}}',
    );
    expect(lines).toContain('{"workspace":{"id":"atlas","name":"Atlas","permissions":["content.read"]}}');
    expect(lines).toContain(
      '{"group":{"id":"atlas-editors","name":"Editors","workspace":"atlas","permissions":["content.edit"]}}',
    );
    expect(lines).toContain(
      '{"user":{"id":"ada","email":"ada@example.com","displayName":"Ada","status":"active","permissions":["users.administer"],"workspaces":["atlas"],"groups":["atlas-editors"]}}',
    );
  });

  it('orders kinds, then ids and lists by their bytes', async () => {
    await database.import(
      { user: { id: 'é', email: null, permissions: ['b', 'B', 'a'] } },
      { user: { id: 'Z' } },
      ...['b', 'B', 'a'].map((id) => ({ permission: { id, grants: 'guest' as const } })),
    );
    const ids = (await database.export()).map((line) => /"id":"(.)"/.exec(line)?.[1]);
    expect(ids).toEqual(['B', 'a', 'b', 'Z', 'é']);
    expect((await database.export()).at(-1)).toBe(
      '{"user":{"id":"é","email":null,"displayName":null,"status":"active","permissions":["B","a","b"],"workspaces":[],"groups":[]}}',
    );
  });

  it('changes nothing when it is imported again: no time, no row', async () => {
    await database.importLines(DEMO_DIRECTORY);
    await database.import({ user: { id: 'awkward "{}, \\', displayName: 'NULL', email: 'a,"b"@example.com' } });
    const before = await database.rows();
    await expect(database.importLines(await database.export())).resolves.toMatchObject({ records: 19, rowsWritten: 0 });
    await expect(database.rows()).resolves.toEqual(before);
  });

  it('makes the same directory of an empty one, and of one that has changed since', async () => {
    await database.importLines(DEMO_DIRECTORY);
    await database.import({ user: { id: 'fay' } });
    const backup = await database.export();
    await database.import({ user: { id: 'fay', email: 'fay@example.com', displayName: 'Fay', workspaces: ['atlas'] } });
    await database.importLines(backup);
    await expect(database.export()).resolves.toEqual(backup);

    const state = await database.directory.state();
    await database.directory.clear();
    await database.importLines(backup);
    await expect(database.export()).resolves.toEqual(backup);
    await expect(database.directory.state()).resolves.toEqual(state);
  });

  it('reads more than one batch, and gives its connection back each time that it is left early', async () => {
    await database.import(...Array.from({ length: 2_500 }, (_, n) => ({ user: { id: `user-${n}` } })));
    for (let time = 0; time < MORE_THAN_THE_POOL; time++) {
      for await (const line of exportDirectory(database.dataSource)) {
        expect(line).toContain('user-0');
        break;
      }
    }
    await expect(database.export()).resolves.toHaveLength(2_500);
  });
});

describeOnServer('an export while others write', () => {
  it('is of one moment', async () => {
    const database = await TransferDatabase.open();
    await database.importLines(DEMO_DIRECTORY);
    const before = await database.export();
    const lines: string[] = [];
    for await (const line of exportDirectory(database.dataSource)) {
      if (lines.length === 0)
        await database.import({ user: { id: 'fay', workspaces: ['atlas'] } }, { user: { id: 'dee', email: null } });
      lines.push(line);
    }
    expect(lines).toEqual(before);
    await database.close();
  });
});

describe('the demo directory', () => {
  let database: TransferDatabase;

  beforeAll(async () => {
    database = await TransferDatabase.open();
  });
  beforeEach(() => database.directory.clear());
  afterAll(() => database.close());

  it('has users of every type', async () => {
    await expect(loadDemoDirectory(database.dataSource, new UserTypeService(new UserTypeRule()))).resolves.toBe(true);
    const { users } = await database.directory.state();
    expect(users).toEqual([
      { id: 'ada', type: 'administrator', status: 'active' },
      { id: 'ben', type: 'manager', status: 'active' },
      { id: 'cyd', type: 'member', status: 'active' },
      { id: 'dee', type: 'guest', status: 'active' },
      { id: 'eve', type: 'member', status: 'inactive' },
      { id: 'zoe', type: 'administrator', status: 'active' },
    ]);
  });

  it.each([
    { permission: { id: 'users.administer', grants: 'member' } },
    { workspace: { id: 'atlas', name: 'Maps' } },
    { user: { id: 'max' } },
  ] as DirectoryRecord[])('is not loaded beside %j', async (record) => {
    await database.import(record);
    const before = await database.rows();
    await expect(loadDemoDirectory(database.dataSource, new UserTypeService(new UserTypeRule()))).resolves.toBe(false);
    await expect(database.rows()).resolves.toEqual(before);
  });

  it('is named in the journal for what it loads', async () => {
    await loadDemoDirectory(database.dataSource, new UserTypeService(new UserTypeRule()));
    const { entries } = await new JournalReader(new ReplicaReads(database.dataSource)).page(
      { actor: 'demo directory', user: 'ben' },
      2,
    );
    expect(entries.map(({ action, actor }) => `${action} by the ${actor.kind}`)).toEqual([
      'user.type.changed by the system',
      'user.created by the system',
    ]);
  });

  it('is loaded with its webhook, or not at all', async () => {
    const { dataSource } = database;
    const load = () => loadDemoDirectory(dataSource, new UserTypeService(new UserTypeRule()));
    await dataSource.query('TRUNCATE webhook_subscriptions, webhook_deliveries');
    await dataSource.query(`
      CREATE FUNCTION refuse_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no webhooks'; END $$;
      CREATE TRIGGER refuse_webhooks BEFORE INSERT ON webhook_subscriptions EXECUTE FUNCTION refuse_webhooks()`);
    try {
      await expect(load()).rejects.toThrow('no webhooks');
    } finally {
      await dataSource.query('DROP FUNCTION refuse_webhooks CASCADE');
    }
    await expect(load()).resolves.toBe(true);
    await expect(dataSource.query('SELECT id, enabled FROM webhook_subscriptions')).resolves.toEqual([
      { id: DEMO_WEBHOOK, enabled: false },
    ]);
    await expect(dataSource.query('SELECT subject, state FROM webhook_deliveries')).resolves.toEqual([
      { subject: 'dee', state: 'delivered' },
    ]);
  });

  it('stays away from a directory that has users', async () => {
    await database.import({ user: { id: 'somebody' } });
    await expect(loadDemoDirectory(database.dataSource, new UserTypeService(new UserTypeRule()))).resolves.toBe(false);
    await expect(database.export()).resolves.toHaveLength(1);
  });
});
