import { DEMO_DIRECTORY } from '../../src/plugins/transfer/demo-directory';
import { exportDirectory } from '../../src/plugins/transfer/export-directory';
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

  it('writes each record in the format of the contract', async () => {
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

  it('orders records by kind and id, and lists by id, comparing bytes', async () => {
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

  it('writes no row when it is imported again', async () => {
    await database.importLines(DEMO_DIRECTORY);
    await database.import({ user: { id: 'awkward "{}, \\', displayName: 'NULL', email: 'a,"b"@example.com' } });
    const before = await database.rows();
    await expect(database.importLines(await database.export())).resolves.toMatchObject({ records: 19, rowsWritten: 0 });
    await expect(database.rows()).resolves.toEqual(before);
  });

  it('restores the directory when it is imported into an empty one, or into one that has changed since', async () => {
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

  it('releases its connection when the reader stops early, and is complete beyond one batch', async () => {
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
  it('shows the directory of one moment', async () => {
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
