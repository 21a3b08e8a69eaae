import { SCIM } from '../../src/plugins/scim/scim.plugin';
import { importDirectory, type ImportSummary } from '../../src/plugins/transfer/import-directory';
import { UserTypeRule } from '../../src/users/user-type/user-type-rule';
import { UserTypeService } from '../../src/users/user-type/user-type.service';
import { IMPORT, TransferDatabase } from '../directory-transfer/transfer-database';
import { describeOnServer } from '../support/describe-on-server';
import { Gate } from './gate';

const ADMINISTER = { permission: { id: 'administer', grants: 'administrator' } };
const ADA = { user: { id: 'ada', permissions: ['administer'] } };
const LINES = [ADMINISTER, ADA].map((line) => JSON.stringify(line));

describeOnServer('an import that deactivates missing users', () => {
  let database: TransferDatabase;
  beforeAll(async () => {
    database = await TransferDatabase.open();
  });
  beforeEach(async () => {
    await database.directory.clear();
    await database.importLines([...LINES, ...['ben', 'cyd'].map((id) => JSON.stringify({ user: { id } }))]);
  });
  afterAll(() => database.close());

  const query = (statement: string): Promise<unknown[]> => database.dataSource.query(statement);
  const users = () => query(`SELECT id, display_name AS name, status FROM users ORDER BY id`);
  const sync = (): Promise<ImportSummary> =>
    importDirectory(database.dataSource, LINES, IMPORT, {
      userTypes: new UserTypeService(new UserTypeRule()),
      deactivateMissing: { atMost: () => 2, spares: SCIM.spares ?? [] },
    });
  /** The sync, when it waits for this row, and what happens meanwhile. */
  async function behind(row: string, happens: (gate: Gate) => Promise<unknown>): Promise<ImportSummary> {
    const gate = await Gate.close(database.url, `SELECT FROM ${row} FOR UPDATE`, []);
    return gate.during(sync, happens);
  }

  const REPLACE = [
    `DELETE FROM users WHERE id = 'ben'`,
    `INSERT INTO users (id, display_name) VALUES ('ben', 'Another')`,
  ];
  const LEFT_ALONE = [
    { id: 'ada', name: null, status: 'active' },
    { id: 'ben', name: 'Another', status: 'active' },
    { id: 'cyd', name: null, status: 'inactive' },
  ];

  it('leaves somebody alone who has got the id of one before that one is locked', async () => {
    const summary = await behind(`permissions WHERE id = 'administer'`, async () => {
      for (const statement of REPLACE) await query(statement);
    });
    expect(summary.missing).toEqual({ deactivated: 1, spared: { connection: 0, keep: 0, administrator: 0 } });
    expect(await users()).toEqual(LEFT_ALONE);
  });

  it('leaves somebody alone who gets the id of one for whom it waits, and whom it meets when it starts again', async () => {
    const summary = await behind(`users WHERE id = 'ben'`, async (gate) => {
      for (const statement of REPLACE) await gate.execute(statement);
    });
    expect(summary.missing).toEqual({ deactivated: 1, spared: { connection: 0, keep: 0, administrator: 0 } });
    expect(await users()).toEqual(LEFT_ALONE);
  });

  it.each([
    ['administrator', `UPDATE users SET type = 'administrator' WHERE id = 'ben'`],
    [
      'connection',
      `WITH made AS (
         INSERT INTO scim_connections (workspace_key, id, name, token_hash) SELECT key, 'c', 'C', '' FROM workspaces RETURNING key)
       INSERT INTO scim_users (connection_key, user_key, provider_active, id, user_name, resource)
       SELECT made.key, users.key, true, users.id, users.id, '{}' FROM made, users WHERE users.id = 'ben'`,
    ],
  ])('leaves a user alone who becomes one of an %s while it waits', async (reason, statement) => {
    await database.directory.workspace('atlas');
    const { missing } = await behind(`users WHERE id = 'ben'`, (gate) => gate.execute(statement));
    expect(missing).toEqual({ deactivated: 1, spared: { connection: 0, keep: 0, administrator: 0, [reason]: 1 } });
    expect(await users()).toMatchObject([
      { status: 'active' },
      { id: 'ben', status: 'active' },
      { status: 'inactive' },
    ]);
  });

  it('counts nobody whom somebody else deactivates or deletes while it waits', async () => {
    const { missing } = await behind(`users WHERE id = 'ben'`, async (gate) => {
      await gate.execute(`UPDATE users SET status = 'inactive' WHERE id = 'ben'`);
      await query(`DELETE FROM users WHERE id = 'cyd'`);
    });
    expect(missing).toMatchObject({ deactivated: 0 });
  });
});
