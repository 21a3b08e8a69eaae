import { randomBytes } from 'node:crypto';
import type { DirectoryRecord, UserRecord } from '../../src/contract/directory';
import type { JournalEntry } from '../../src/contract/journal';
import { ReplicaReads } from '../../src/database/replica-reads';
import { JournalReader } from '../../src/journal/journal-reader';
import { StatementLog } from '../database/statement-log';
import { verifyJournal } from '../../src/journal/verify-journal';
import { DEMO_DIRECTORY } from '../../src/directory-transfer/demo-directory';
import { IMPORT, TransferDatabase } from './transfer-database';

const READ: DirectoryRecord = { permission: { id: 'read', grants: 'member' } };
const ADMINISTER: DirectoryRecord = { permission: { id: 'administer', grants: 'administrator' } };
const ATLAS: DirectoryRecord = { workspace: { id: 'atlas', name: 'Atlas', permissions: ['read'] } };
const BOREALIS: DirectoryRecord = { workspace: { id: 'borealis', name: 'Borealis' } };
const EDITORS: DirectoryRecord = { group: { id: 'editors', name: 'Editors', workspace: 'atlas' } };
const PLACES = [READ, ADMINISTER, ATLAS, BOREALIS, EDITORS];

let database: TransferDatabase;
let seen: string;

beforeAll(async () => {
  database = await TransferDatabase.open();
});
beforeEach(() => database.directory.clear());
afterAll(() => database.close());

type Told = Pick<JournalEntry, 'action' | 'user' | 'workspaces' | 'before' | 'after'>;

/** What the journal has been told since the last time, oldest first. */
async function told(): Promise<Told[]> {
  const { entries } = await new JournalReader(new ReplicaReads(database.dataSource)).page({}, 100);
  const fresh = entries.filter(({ id }) => BigInt(id) > BigInt(seen));
  seen = entries[0]?.id ?? '0';
  return fresh
    .sort((one, other) => Number(one.id) - Number(other.id))
    .map(({ action, user, workspaces, before, after }) => ({ action, user, workspaces, before, after }));
}

async function count(table: string): Promise<number> {
  const [row]: { count: number }[] = await database.dataSource.query(`SELECT count(*)::integer AS count FROM ${table}`);
  return row?.count ?? 0;
}

const load = async (...records: DirectoryRecord[]): Promise<void> => {
  await database.import(...records);
  seen = '0';
  await told();
};

/** What an import tells of each user in its file. */
const WRITTEN = ['user.created', 'user.updated'];

const imported = (user: string, workspaces: string[], before: object | null, after: object): unknown => ({
  action: before === null ? 'user.created' : 'user.updated',
  user,
  workspaces,
  before,
  after,
});
const change = (
  user: string,
  action: string,
  workspaces: string[],
  before: object | null,
  after: object | null,
): unknown => ({
  action,
  user,
  workspaces,
  before,
  after,
});
const permission = (before: object | null, after: object): unknown => ({
  action: before === null ? 'permission.created' : 'permission.updated',
  user: null,
  workspaces: [],
  before,
  after,
});
const typed = (user: string, before: string, after: string): unknown => ({
  action: 'user.type.changed',
  user,
  workspaces: [],
  before: { type: before },
  after: { type: after },
});

describe('the journal of an import', () => {
  it('tells of new users all that was written, and then the type that followed', async () => {
    await load(...PLACES);
    await database.import(
      { user: { id: 'dee' } },
      {
        user: {
          id: 'ada',
          email: 'ada@example.com',
          displayName: 'Ada',
          status: 'inactive',
          permissions: ['read', 'administer'],
          workspaces: ['borealis', 'atlas', 'atlas'],
          groups: ['editors'],
        },
      },
    );
    const nothing = { email: null, displayName: null, permissions: [], workspaces: [], groups: [] };
    expect(await told()).toEqual([
      imported('ada', ['atlas', 'borealis'], null, {
        email: 'ada@example.com',
        displayName: 'Ada',
        status: 'inactive',
        permissions: ['administer', 'read'],
        workspaces: ['atlas', 'borealis'],
        groups: ['editors'],
      }),
      imported('dee', [], null, { ...nothing, status: 'active' }),
      typed('ada', 'guest', 'administrator'),
    ]);
  });

  it('names the act in every entry', async () => {
    await load();
    await database.import(...PLACES, { user: { id: 'ben', workspaces: ['atlas'] } });
    const { entries } = await new JournalReader(new ReplicaReads(database.dataSource)).page({}, 8);
    expect(entries.map(({ action }) => action)).toEqual([
      'user.type.changed',
      'user.created',
      'group.created',
      'workspace.permissions.changed',
      'workspace.created',
      'workspace.created',
      'permission.created',
      'permission.created',
    ]);
    for (const { actor, grantedBy, reason, requestId } of entries) {
      expect({ actor, grantedBy, reason, requestId }).toEqual({
        ...IMPORT,
        grantedBy: null,
        reason: null,
        requestId: null,
      });
    }
  });

  it.each<[string, UserRecord, string[], object, object, unknown[]]>([
    ['an email', { id: 'ben', email: null }, [], { email: 'ben@example.com' }, { email: null }, []],
    [
      'some of the fields that it gives',
      { id: 'ben', email: 'ben@example.com', displayName: 'Benjamin', status: 'active', workspaces: ['atlas'] },
      [],
      { displayName: null },
      { displayName: 'Benjamin' },
      [],
    ],
    [
      'permissions that earn nothing new',
      { id: 'ben', permissions: ['read'] },
      [],
      { permissions: [] },
      { permissions: ['read'] },
      [change('ben', 'user.permissions.changed', [], { permissions: [] }, { permissions: ['read'] })],
    ],
    [
      'a workspace more',
      { id: 'ben', workspaces: ['atlas', 'borealis'] },
      ['borealis'],
      { workspaces: ['atlas'] },
      { workspaces: ['atlas', 'borealis'] },
      [change('ben', 'user.workspaces.assigned', ['borealis'], null, { workspaces: ['borealis'], groups: [] })],
    ],
    [
      'a group less',
      { id: 'ben', groups: [] },
      ['atlas'],
      { groups: ['editors'] },
      { groups: [] },
      [change('ben', 'user.workspaces.unassigned', ['atlas'], { workspaces: [], groups: ['editors'] }, null)],
    ],
    [
      'a workspace less, and the group in it',
      { id: 'ben', permissions: ['read'], workspaces: ['borealis'], groups: [] },
      ['atlas', 'borealis'],
      { permissions: [], workspaces: ['atlas'], groups: ['editors'] },
      { permissions: ['read'], workspaces: ['borealis'], groups: [] },
      [
        change('ben', 'user.workspaces.unassigned', ['atlas'], { workspaces: ['atlas'], groups: ['editors'] }, null),
        change('ben', 'user.workspaces.assigned', ['borealis'], null, { workspaces: ['borealis'], groups: [] }),
        change('ben', 'user.permissions.changed', [], { permissions: [] }, { permissions: ['read'] }),
      ],
    ],
  ])(
    'tells of %s as it was and as it is, and as others tell it',
    async (_, user, workspaces, before, after, others) => {
      await load(...PLACES, {
        user: { id: 'ben', email: 'ben@example.com', workspaces: ['atlas'], groups: ['editors'] },
      });
      await database.import({ user });
      expect(await told()).toEqual([imported('ben', workspaces, before, after), ...others]);
    },
  );

  it('tells of each user who was there whatever an assignment, a removal or a change of permissions would tell', async () => {
    const managers: DirectoryRecord = { group: { id: 'managers', name: 'Managers', workspace: 'atlas' } };
    await load(
      ...PLACES,
      managers,
      { user: { id: 'ada', workspaces: ['atlas'], groups: ['editors'] } },
      { user: { id: 'ben', permissions: ['read'] } },
    );
    await database.import(
      { user: { id: 'ada', permissions: ['administer', 'read'], groups: ['managers'] } },
      { user: { id: 'ben', permissions: [], workspaces: ['borealis', 'atlas'], groups: ['managers', 'editors'] } },
      { user: { id: 'new', permissions: ['read'], workspaces: ['atlas'], groups: ['editors'] } },
    );
    const changes = await told();
    const ofUsers = changes.filter(({ action }) => !WRITTEN.includes(action));
    expect(ofUsers.toSorted((one, other) => (one.user ?? '').localeCompare(other.user ?? ''))).toEqual([
      change('ada', 'user.workspaces.unassigned', ['atlas'], { workspaces: [], groups: ['editors'] }, null),
      change('ada', 'user.workspaces.assigned', ['atlas'], null, { workspaces: [], groups: ['managers'] }),
      change('ada', 'user.permissions.changed', [], { permissions: [] }, { permissions: ['administer', 'read'] }),
      typed('ada', 'member', 'administrator'),
      change('ben', 'user.workspaces.assigned', ['atlas', 'borealis'], null, {
        workspaces: ['atlas', 'borealis'],
        groups: ['editors', 'managers'],
      }),
      change('ben', 'user.permissions.changed', [], { permissions: ['read'] }, { permissions: [] }),
      typed('new', 'guest', 'member'),
    ]);
    expect(
      changes.filter(({ action }) => WRITTEN.includes(action)).map(({ action, user }) => `${action} ${user}`),
    ).toEqual(['user.created new', 'user.updated ada', 'user.updated ben']);
  });

  it('tells of a new status as every change of a status is told', async () => {
    await load({ user: { id: 'ben' } });
    await database.import({ user: { id: 'ben', status: 'inactive' } });
    expect(await told()).toEqual([
      imported('ben', [], { status: 'active' }, { status: 'inactive' }),
      expect.objectContaining({
        action: 'user.status.changed',
        user: 'ben',
        before: { status: 'active' },
        after: { status: 'inactive' },
      }),
    ]);
  });

  it('tells of permissions given to places, and of the types of those whom no line names', async () => {
    await load(
      READ,
      ADMINISTER,
      { workspace: { id: 'atlas', name: 'Atlas' } },
      BOREALIS,
      { group: { id: 'editors', name: 'Editors', workspace: 'atlas', permissions: ['read'] } },
      { user: { id: 'zoe', workspaces: ['atlas'], groups: ['editors'] } },
      { user: { id: 'ben', workspaces: ['atlas'] } },
    );
    await database.import(
      { group: { id: 'editors', name: 'Renamed', workspace: 'atlas', permissions: ['administer', 'read'] } },
      { group: { id: 'owners', name: 'Owners', workspace: 'borealis', permissions: ['administer'] } },
      { group: { id: 'idlers', name: 'Idlers', workspace: 'borealis', permissions: [] } },
      { workspace: { id: 'atlas', name: 'Atlas', permissions: ['read'] } },
      { workspace: { id: 'borealis', name: 'Renamed', permissions: [] } },
    );
    const place = (action: string, workspace: string, before: object | null, after: object) => {
      return { action, user: null, workspaces: [workspace], before, after };
    };
    const changes = await told();
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

    await database.import({ permission: { id: 'read', grants: 'manager' } });
    expect(await told()).toEqual([
      permission({ permission: 'read', grants: 'member' }, { permission: 'read', grants: 'manager' }),
      typed('ben', 'member', 'manager'),
    ]);
  });

  it('tells of new permissions, workspaces and groups, and later of what changed in them', async () => {
    await load();
    await database.import(...PLACES);
    const place = { user: null, before: null };
    expect(await told()).toEqual([
      permission(null, { permission: 'administer', description: null, grants: 'administrator' }),
      permission(null, { permission: 'read', description: null, grants: 'member' }),
      { ...place, action: 'workspace.created', workspaces: ['atlas'], after: { name: 'Atlas' } },
      { ...place, action: 'workspace.created', workspaces: ['borealis'], after: { name: 'Borealis' } },
      expect.objectContaining({ action: 'workspace.permissions.changed', workspaces: ['atlas'] }),
      { ...place, action: 'group.created', workspaces: ['atlas'], after: { group: 'editors', name: 'Editors' } },
    ]);

    await database.import({ permission: { id: 'read', description: 'Read', grants: 'member' } }, ATLAS);
    await database.import({ permission: { id: 'read', grants: 'member' } }, EDITORS, BOREALIS);
    expect(await told()).toEqual([
      permission({ permission: 'read', description: null }, { permission: 'read', description: 'Read' }),
    ]);
  });

  it('is silent where nothing changed: an import of an export, in any order, with anything twice', async () => {
    await database.importLines(DEMO_DIRECTORY);
    await load();
    await database.importLines((await database.export()).reverse());
    await database.import(
      { user: { id: 'ada', groups: ['atlas-editors', 'atlas-editors'] } },
      { workspace: { id: 'atlas', name: 'Atlas', permissions: ['content.read', 'content.read'] } },
    );
    expect(await told()).toEqual([]);
  });

  it('is rolled back with its import', async () => {
    await load(...PLACES, { user: { id: 'ada', permissions: ['administer'] } });
    await expect(
      database.import({ user: { id: 'ben' } }, { user: { id: 'ada', permissions: [] } }),
    ).rejects.toMatchObject({ code: 'directory.last_administrator' });
    expect(await told()).toEqual([]);
  });
});

describe('the journal of a large import', () => {
  it('is appended in parts, whole, and in order for each user', async () => {
    const [entries, changes] = [await count('journal_entries'), await count('journal_changes')];
    const crowd = Array.from({ length: 2_500 }, (_, n) => ({ user: { id: `user-${n}`, permissions: ['read'] } }));
    await database.import(READ, ...crowd);
    expect((await count('journal_entries')) - entries).toBe(5_001);
    expect((await count('journal_changes')) - changes).toBeLessThan(10);
    const told: { user: string; actions: string }[] = await database.dataSource.query(
      `SELECT user_id AS "user", string_agg(action, ' ' ORDER BY id) AS actions
       FROM (SELECT * FROM journal_entries ORDER BY id DESC LIMIT 5000) AS newest GROUP BY user_id ORDER BY user_id`,
    );
    expect(told).toEqual(
      crowd
        .map(({ user }) => user.id)
        .sort()
        .map((user) => ({ user, actions: 'user.created user.type.changed' })),
    );
    expect(await verifyJournal(database.dataSource)).toMatchObject({ broken: undefined });
  });

  it('is appended in smaller parts when there is much to tell of each user', async () => {
    // Ids that PostgreSQL cannot compress.
    const places = Array.from({ length: 500 }, () => randomBytes(150).toString('base64url'));
    await database.import(...places.map((id) => ({ workspace: { id, name: 'Place' } })));
    const entries = await count('journal_entries');
    const wordy = Array.from({ length: 30 }, (_, n) => ({ user: { id: `wordy-${n}`, workspaces: places } }));
    const log = StatementLog.of(database.dataSource);
    await database.import(...wordy);
    expect((await count('journal_entries')) - entries).toBe(30);
    // The last one finds that there are no more.
    expect(log.take().filter((statement) => statement.includes('journal_append('))).toHaveLength(3);
  });
});
