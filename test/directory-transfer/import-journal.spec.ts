import type { DirectoryRecord, UserRecord } from '../../src/contract/directory';
import { change, imported, ImportJournal, PLACES, typed } from './import-journal';
import { IMPORT } from './transfer-database';

let journal: ImportJournal;

beforeAll(async () => {
  journal = await ImportJournal.open();
});
beforeEach(() => journal.database.directory.clear());
afterAll(() => journal.close());

/** The actions of the entries of users in the file. */
const WRITTEN = ['user.created', 'user.updated'];

describe('an import records in the journal', () => {
  it('all fields of a new user, and then the type that follows', async () => {
    await journal.load(...PLACES);
    await journal.database.import(
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
    expect(await journal.newEntries()).toEqual([
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

  it('the same actor in every entry', async () => {
    await journal.load();
    await journal.database.import(...PLACES, { user: { id: 'ben', workspaces: ['atlas'] } });
    const entries = await journal.newest(8);
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
      'the fields that change, among others that do not,',
      { id: 'ben', email: 'ben@example.com', displayName: 'Benjamin', status: 'active', workspaces: ['atlas'] },
      [],
      { displayName: null },
      { displayName: 'Benjamin' },
      [],
    ],
    [
      'permissions that do not change the type',
      { id: 'ben', permissions: ['read'] },
      [],
      { permissions: [] },
      { permissions: ['read'] },
      [change('ben', 'user.permissions.changed', [], { permissions: [] }, { permissions: ['read'] })],
    ],
    [
      'one more workspace',
      { id: 'ben', workspaces: ['atlas', 'borealis'] },
      ['borealis'],
      { workspaces: ['atlas'] },
      { workspaces: ['atlas', 'borealis'] },
      [change('ben', 'user.workspaces.assigned', ['borealis'], null, { workspaces: ['borealis'], groups: [] })],
    ],
    [
      'one group less',
      { id: 'ben', groups: [] },
      ['atlas'],
      { groups: ['editors'] },
      { groups: [] },
      [change('ben', 'user.workspaces.unassigned', ['atlas'], { workspaces: [], groups: ['editors'] }, null)],
    ],
    [
      'one workspace less, with the group in it,',
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
    '%s of a user before and after, also with the actions of the API',
    async (_, user, workspaces, before, after, others) => {
      await journal.load(...PLACES, {
        user: { id: 'ben', email: 'ben@example.com', workspaces: ['atlas'], groups: ['editors'] },
      });
      await journal.database.import({ user });
      expect(await journal.newEntries()).toEqual([imported('ben', workspaces, before, after), ...others]);
    },
  );

  it('the changes of existing users as an assignment, an unassignment or a change of permissions records them', async () => {
    const managers: DirectoryRecord = { group: { id: 'managers', name: 'Managers', workspace: 'atlas' } };
    await journal.load(
      ...PLACES,
      managers,
      { user: { id: 'ada', workspaces: ['atlas'], groups: ['editors'] } },
      { user: { id: 'ben', permissions: ['read'] } },
    );
    await journal.database.import(
      { user: { id: 'ada', permissions: ['administer', 'read'], groups: ['managers'] } },
      { user: { id: 'ben', permissions: [], workspaces: ['borealis', 'atlas'], groups: ['managers', 'editors'] } },
      { user: { id: 'new', permissions: ['read'], workspaces: ['atlas'], groups: ['editors'] } },
    );
    const changes = await journal.newEntries();
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

  it('a new status as every change of a status is recorded', async () => {
    await journal.load({ user: { id: 'ben' } });
    await journal.database.import({ user: { id: 'ben', status: 'inactive' } });
    expect(await journal.newEntries()).toEqual([
      imported('ben', [], { status: 'active' }, { status: 'inactive' }),
      expect.objectContaining({
        action: 'user.status.changed',
        user: 'ben',
        before: { status: 'active' },
        after: { status: 'inactive' },
      }),
    ]);
  });
});
