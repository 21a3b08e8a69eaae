import type { DirectoryRecord } from '../../src/contract/directory';
import { loadDemoDirectory } from '../../src/plugins/transfer/demo-directory';
import { DEMO_CONNECTION } from '../../src/plugins/scim/demo-connection';
import { DEMOS } from '../support/demos';
import { DEMO_WEBHOOK } from '../../src/plugins/webhooks/demo-webhook';
import { newestEntries } from '../support/sealed';
import { UserTypeRule } from '../../src/users/user-type/user-type-rule';
import { UserTypeService } from '../../src/users/user-type/user-type.service';
import { TransferDatabase } from './transfer-database';

describe('the demo directory', () => {
  let database: TransferDatabase;

  beforeAll(async () => {
    database = await TransferDatabase.open();
  });
  beforeEach(() => database.directory.clear());
  afterAll(() => database.close());

  it('has a user of every type', async () => {
    await expect(loadDemoDirectory(database.dataSource, new UserTypeService(new UserTypeRule()), DEMOS)).resolves.toBe(
      true,
    );
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
    await expect(loadDemoDirectory(database.dataSource, new UserTypeService(new UserTypeRule()), DEMOS)).resolves.toBe(
      false,
    );
    await expect(database.rows()).resolves.toEqual(before);
  });

  it('is the actor of its entries in the journal', async () => {
    await loadDemoDirectory(database.dataSource, new UserTypeService(new UserTypeRule()), DEMOS);
    const entries = await newestEntries(database.dataSource, 2, { actor: 'demo directory', user: 'ben' });
    expect(entries.map(({ action, actor }) => `${action} by the ${actor.kind}`)).toEqual([
      'user.type.changed by the system',
      'user.created by the system',
    ]);
  });

  it('is loaded together with its webhook and its connection, or not at all', async () => {
    const { dataSource } = database;
    const load = () => loadDemoDirectory(dataSource, new UserTypeService(new UserTypeRule()), DEMOS);
    await dataSource.query('TRUNCATE webhook_subscriptions, webhook_positions, webhook_deliveries');
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
    await expect(
      dataSource.query('SELECT id, octet_length(token_hash) AS hash FROM scim_connections'),
    ).resolves.toEqual([{ id: DEMO_CONNECTION, hash: 32 }]);
    await expect(dataSource.query('SELECT subject, state FROM webhook_deliveries')).resolves.toEqual([
      { subject: 'dee', state: 'delivered' },
    ]);
  });

  it('is not loaded into a directory that has users', async () => {
    await database.import({ user: { id: 'somebody' } });
    await expect(loadDemoDirectory(database.dataSource, new UserTypeService(new UserTypeRule()), DEMOS)).resolves.toBe(
      false,
    );
    await expect(database.export()).resolves.toHaveLength(1);
  });
});
