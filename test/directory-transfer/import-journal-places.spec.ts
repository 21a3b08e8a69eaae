import { randomBytes } from 'node:crypto';
import { DEMO_DIRECTORY } from '../../src/plugins/transfer/demo-directory';
import { verifyJournal } from '../../src/journal/verify-journal';
import { StatementLog } from '../database/statement-log';
import { ADMINISTER, ATLAS, BOREALIS, EDITORS, ImportJournal, permission, PLACES, READ, typed } from './import-journal';

let journal: ImportJournal;

beforeAll(async () => {
  journal = await ImportJournal.open();
});
beforeEach(() => journal.database.directory.clear());
afterAll(() => journal.close());

describe('an import records in the journal', () => {
  it('the new permissions of workspaces and groups, and the new types of users whom the file does not name', async () => {
    await journal.load(
      READ,
      ADMINISTER,
      { workspace: { id: 'atlas', name: 'Atlas' } },
      BOREALIS,
      { group: { id: 'editors', name: 'Editors', workspace: 'atlas', permissions: ['read'] } },
      { user: { id: 'zoe', workspaces: ['atlas'], groups: ['editors'] } },
      { user: { id: 'ben', workspaces: ['atlas'] } },
    );
    await journal.database.import(
      { group: { id: 'editors', name: 'Renamed', workspace: 'atlas', permissions: ['administer', 'read'] } },
      { group: { id: 'owners', name: 'Owners', workspace: 'borealis', permissions: ['administer'] } },
      { group: { id: 'idlers', name: 'Idlers', workspace: 'borealis', permissions: [] } },
      { workspace: { id: 'atlas', name: 'Atlas', permissions: ['read'] } },
      { workspace: { id: 'borealis', name: 'Renamed', permissions: [] } },
    );
    const place = (action: string, workspace: string, before: object | null, after: object) => {
      return { action, user: null, workspaces: [workspace], before, after };
    };
    const changes = await journal.newEntries();
    expect(changes).toEqual([
      place('workspace.updated', 'borealis', { name: 'Borealis' }, { name: 'Renamed' }),
      place('workspace.permissions.changed', 'atlas', { permissions: [] }, { permissions: ['read'] }),
      place('group.updated', 'atlas', { group: 'editors', name: 'Editors' }, { group: 'editors', name: 'Renamed' }),
      place('group.created', 'borealis', null, { group: 'idlers', name: 'Idlers' }),
      place('group.created', 'borealis', null, { group: 'owners', name: 'Owners' }),
      place(
        'group.permissions.changed',
        'atlas',
        { group: 'editors', permissions: ['read'] },
        { group: 'editors', permissions: ['administer', 'read'] },
      ),
      place(
        'group.permissions.changed',
        'borealis',
        { group: 'owners', permissions: [] },
        { group: 'owners', permissions: ['administer'] },
      ),
      typed('ben', 'guest', 'member'),
      typed('zoe', 'member', 'administrator'),
    ]);

    await journal.database.import({ permission: { id: 'read', grants: 'manager' } });
    expect(await journal.newEntries()).toEqual([
      permission({ permission: 'read', grants: 'member' }, { permission: 'read', grants: 'manager' }),
      typed('ben', 'member', 'manager'),
    ]);
  });

  it('new permissions, workspaces and groups, and later what changes in them', async () => {
    await journal.load();
    await journal.database.import(...PLACES);
    const place = { user: null, before: null };
    expect(await journal.newEntries()).toEqual([
      permission(null, { permission: 'administer', description: null, grants: 'administrator' }),
      permission(null, { permission: 'read', description: null, grants: 'member' }),
      { ...place, action: 'workspace.created', workspaces: ['atlas'], after: { name: 'Atlas' } },
      { ...place, action: 'workspace.created', workspaces: ['borealis'], after: { name: 'Borealis' } },
      expect.objectContaining({ action: 'workspace.permissions.changed', workspaces: ['atlas'] }),
      { ...place, action: 'group.created', workspaces: ['atlas'], after: { group: 'editors', name: 'Editors' } },
    ]);

    await journal.database.import({ permission: { id: 'read', description: 'Read', grants: 'member' } }, ATLAS);
    await journal.database.import({ permission: { id: 'read', grants: 'member' } }, EDITORS, BOREALIS);
    expect(await journal.newEntries()).toEqual([
      permission({ permission: 'read', description: null }, { permission: 'read', description: 'Read' }),
    ]);
  });

  it('nothing if nothing changes: an export that is imported again, in any order, with repeated ids', async () => {
    await journal.database.importLines(DEMO_DIRECTORY);
    await journal.load();
    await journal.database.importLines((await journal.database.export()).reverse());
    await journal.database.import(
      { user: { id: 'ada', groups: ['atlas-editors', 'atlas-editors'] } },
      { workspace: { id: 'atlas', name: 'Atlas', permissions: ['content.read', 'content.read'] } },
    );
    expect(await journal.newEntries()).toEqual([]);
  });

  it('nothing if the import is refused', async () => {
    await journal.load(...PLACES, { user: { id: 'ada', permissions: ['administer'] } });
    await expect(
      journal.database.import({ user: { id: 'ben' } }, { user: { id: 'ada', permissions: [] } }),
    ).rejects.toThrow('leave the directory without an active administrator');
    expect(await journal.newEntries()).toEqual([]);
  });
});

describe('the journal of a large import', () => {
  it('has every entry, in order for each user, though it is appended in parts', async () => {
    const [entries, changes] = [await journal.count('journal_entries'), await journal.count('journal_changes')];
    const crowd = Array.from({ length: 2_500 }, (_, n) => ({ user: { id: `user-${n}`, permissions: ['read'] } }));
    await journal.database.import(READ, ...crowd);
    expect((await journal.count('journal_entries')) - entries).toBe(5_002);
    expect((await journal.count('journal_changes')) - changes).toBeLessThan(10);
    const recorded: { user: string; actions: string }[] = await journal.database.dataSource.query(
      `SELECT user_id AS "user", string_agg(action, ' ' ORDER BY id) AS actions
       FROM (SELECT * FROM journal_entries ORDER BY id DESC LIMIT 5000) AS newest GROUP BY user_id ORDER BY user_id`,
    );
    expect(recorded).toEqual(
      crowd
        .map(({ user }) => user.id)
        .sort()
        .map((user) => ({ user, actions: 'user.created user.type.changed' })),
    );
    expect(await verifyJournal(journal.database.dataSource)).toMatchObject({ broken: undefined });
  });

  it('is appended in smaller parts if the entries are large', async () => {
    // Ids that PostgreSQL cannot compress.
    const places = Array.from({ length: 500 }, () => randomBytes(150).toString('base64url'));
    await journal.database.import(...places.map((id) => ({ workspace: { id, name: 'Place' } })));
    const entries = await journal.count('journal_entries');
    const wordy = Array.from({ length: 30 }, (_, n) => ({ user: { id: `wordy-${n}`, workspaces: places } }));
    const log = StatementLog.of(journal.database.dataSource);
    await journal.database.import(...wordy);
    expect((await journal.count('journal_entries')) - entries).toBe(31);
    expect(log.take().filter((statement) => statement.includes('FROM import_entries WHERE'))).toHaveLength(2);
  });
});
