import type { DirectoryRecord, UserRecord } from '../../src/contract/directory';
import { importDirectory } from '../../src/plugins/transfer/import-directory';
import { UserTypeRule } from '../../src/users/user-type/user-type-rule';
import { UserTypeService } from '../../src/users/user-type/user-type.service';
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
    const entries = await journal.newest(9);
    expect(entries.map(({ action }) => action)).toEqual([
      'user.type.changed',
      'user.created',
      'group.created',
      'workspace.permissions.changed',
      'workspace.created',
      'workspace.created',
      'permission.created',
      'permission.created',
      'directory.imported',
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

  it('a new status once, as every change of a status is recorded, beside what else changes', async () => {
    await journal.load({ user: { id: 'ben' } }, { user: { id: 'cyd' } });
    await journal.database.import(
      { user: { id: 'ben', status: 'inactive' } },
      { user: { id: 'cyd', status: 'inactive', displayName: 'Cyd' } },
    );
    const deactivated = [{ status: 'active' }, { status: 'inactive' }] as const;
    expect(await journal.newEntries()).toEqual([
      imported('cyd', [], { displayName: null }, { displayName: 'Cyd' }),
      change('ben', 'user.status.changed', [], ...deactivated),
      change('cyd', 'user.status.changed', [], ...deactivated),
    ]);
  });

  it('itself first, with the name of the file, the time and the reason of all its entries, and what it did', async () => {
    await journal.load(
      ...PLACES,
      { user: { id: 'ben' } },
      { user: { id: 'cyd', status: 'inactive' } },
      { user: { id: 'dee' } },
      { user: { id: 'eve' } },
    );
    const lines = [
      { permission: { id: 'read', grants: 'manager' } },
      { workspace: { id: 'atlas', name: 'Atlas' } },
      { workspace: { id: 'cosmos', name: 'Cosmos' } },
      { group: { id: 'crew', name: 'Crew', workspace: 'cosmos' } },
      { user: { id: 'ben', displayName: 'Ben', workspaces: ['atlas'] } },
      { user: { id: 'cyd', status: 'active' } },
      { user: { id: 'dee', status: 'inactive', displayName: 'Dee' } },
      { user: { id: 'eve' } },
      { user: { id: 'flo' } },
    ].map((record) => JSON.stringify(record));
    const options = { userTypes: new UserTypeService(new UserTypeRule()), name: 'people.ndjson' };
    const attribution = { ...IMPORT, reason: 'The autumn term' };
    await importDirectory(journal.database.dataSource, lines, attribution, options);
    const entries = (await journal.newest(11)).toReversed();
    expect(entries.map(({ action, user }) => [action, user])).toEqual([
      ['directory.imported', null],
      ['permission.updated', null],
      ['workspace.created', null],
      ['group.created', null],
      ['user.created', 'flo'],
      ['user.updated', 'ben'],
      ['user.updated', 'dee'],
      ['user.status.changed', 'cyd'],
      ['user.status.changed', 'dee'],
      ['user.workspaces.assigned', 'ben'],
      ['user.type.changed', 'ben'],
    ]);
    expect(entries[0]).toEqual({
      id: expect.any(String) as string,
      at: entries[0]?.at,
      action: 'directory.imported',
      ...IMPORT,
      grantedBy: null,
      user: null,
      workspaces: [],
      before: null,
      after: {
        name: 'people.ndjson',
        created: { users: 1, workspaces: 1, groups: 1, permissions: 0 },
        changed: { users: 2, workspaces: 0, groups: 0, permissions: 1 },
        deactivated: 1,
      },
      reason: 'The autumn term',
      requestId: null,
    });
    for (const { at, reason } of entries) expect([at, reason]).toEqual([entries[0]?.at, 'The autumn term']);
  });
});
