import type { DirectoryRecord } from '../../src/contract/directory';
import { importDirectory, type ImportSummary } from '../../src/directory-transfer/import-directory';
import type { AtMost } from '../../src/directory-transfer/import-missing';
import { UserTypeRule } from '../../src/users/user-type/user-type.rule';
import { UserTypeService } from '../../src/users/user-type/user-type.service';
import { newestEntries } from '../support/sealed';
import { IMPORT, TransferDatabase } from './transfer-database';

const ADMINISTER: DirectoryRecord = { permission: { id: 'administer', grants: 'administrator' } };
const ADA: DirectoryRecord = { user: { id: 'ada', permissions: ['administer'] } };
const named = (...ids: string[]): DirectoryRecord[] => ids.map((id) => ({ user: { id } }));

describe('an import as a sync', () => {
  let database: TransferDatabase;
  beforeAll(async () => {
    database = await TransferDatabase.open();
  });
  beforeEach(async () => {
    await database.directory.clear();
    await database.import(ADMINISTER, ADA, ...named('ben', 'cyd', 'dee'), { user: { id: 'eve', status: 'inactive' } });
  });
  afterAll(() => database.close());

  const sync = (
    records: DirectoryRecord[],
    options: { dryRun?: true; deactivateMissing?: AtMost },
  ): Promise<ImportSummary> =>
    importDirectory(
      database.dataSource,
      records.map((record) => JSON.stringify(record)),
      IMPORT,
      { userTypes: new UserTypeService(new UserTypeRule()), ...options },
    );
  const active = async (): Promise<string[]> => {
    const rows: { id: string }[] = await database.dataSource.query(
      `SELECT id FROM users WHERE status = 'active' ORDER BY id`,
    );
    return rows.map(({ id }) => id);
  };

  it('deactivates the active users that the file does not name, and no others, with entries as for any change', async () => {
    let before = 0;
    const summary = await sync([ADA, ...named('cyd', 'new', 'eve')], {
      deactivateMissing: (users) => (before = users),
    });
    expect(summary).toMatchObject({ records: 4, created: { user: 1 }, deactivated: 2, rowsWritten: 3 });
    expect(before).toBe(4);
    expect(await active()).toEqual(['ada', 'cyd', 'new']);
    const [status, updated] = await newestEntries(database.dataSource, 2, { user: 'ben' });
    expect([status, updated]).toMatchObject([
      {
        action: 'user.status.changed',
        actor: IMPORT.actor,
        before: { status: 'active' },
        after: { status: 'inactive' },
      },
      { action: 'user.updated' },
    ]);
    expect(await sync([ADA, ...named('cyd', 'new')], { deactivateMissing: () => 0 })).toMatchObject({ rowsWritten: 0 });
  });

  it('changes nothing if more are missing than may be, and says how many', async () => {
    const rows = await database.rows();
    await expect(
      sync([ADA, { user: { id: 'ben', displayName: 'Ben' } }], { deactivateMissing: () => 1 }),
    ).rejects.toThrow(
      'This would deactivate 2 of 4 active users, because the file does not name them: more than 1, which --at-most permits',
    );
    expect(await database.rows()).toEqual(rows);
  });

  it('changes nothing if no active administrator would remain, and says how many it would deactivate', async () => {
    const rows = await database.rows();
    const deactivateMissing = (users: number) => users;
    await expect(sync(named('ben'), { deactivateMissing })).rejects.toThrow(
      'This would deactivate 3 users, and leave the directory without an active administrator',
    );
    await expect(sync([], { deactivateMissing, dryRun: true })).rejects.toThrow(
      'This would deactivate 4 users, and leave',
    );
    expect(await database.rows()).toEqual(rows);
  });

  it('says in a dry run what it would do, and does nothing', async () => {
    await database.import(
      { workspace: { id: 'atlas', name: 'Atlas' } },
      { group: { id: 'editors', name: 'Editors', workspace: 'atlas' } },
    );
    const rows = await database.rows();
    const entries = await newestEntries(database.dataSource, 200);
    const { preview } = await sync(
      [
        ADMINISTER,
        { permission: { id: 'read', grants: 'member' } },
        { workspace: { id: 'atlas', name: 'Atlas!', permissions: ['read'] } },
        { group: { id: 'editors', name: 'Editors', workspace: 'atlas', permissions: ['read'] } },
        ADA,
        ...Array.from({ length: 60 }, (_, n) => ({ user: { id: `new-${String(n).padStart(2, '0')}` } })),
        { user: { id: 'ben', email: 'ben@example.com', workspaces: ['atlas'] } },
        { user: { id: 'cyd', status: 'inactive', displayName: 'Cyd' } },
        { user: { id: 'eve', status: 'active' } },
      ],
      { dryRun: true, deactivateMissing: () => 1 },
    );
    const news = Array.from({ length: 49 }, (_, n) =>
      expect.objectContaining({ id: `new-${String(n).padStart(2, '0')}` }),
    );
    expect(preview).toEqual([
      { outcome: 'created', kind: 'permission', count: 1, shown: [{ id: 'read', fields: ['description', 'grants'] }] },
      { outcome: 'created', kind: 'user', count: 60, shown: news },
      { outcome: 'changed', kind: 'workspace', count: 1, shown: [{ id: 'atlas', fields: ['name', 'permissions'] }] },
      { outcome: 'changed', kind: 'group', count: 1, shown: [{ id: 'editors', fields: ['permissions'] }] },
      {
        outcome: 'changed',
        kind: 'user',
        count: 2,
        shown: [
          { id: 'ben', fields: ['email', 'workspaces'] },
          { id: 'eve', fields: ['status'] },
        ],
      },
      {
        outcome: 'deactivated',
        kind: 'user',
        count: 2,
        shown: [
          { id: 'cyd', fields: ['displayName', 'status'] },
          { id: 'dee', fields: ['status'] },
        ],
      },
    ]);
    expect(await database.rows()).toEqual(rows);
    expect(await newestEntries(database.dataSource, 200)).toEqual(entries);
  });
});
