import type { DirectoryRecord } from '../../src/contract/directory';
import { quote } from '../../src/plugins/transfer/import-error';
import { UserTypeRule } from '../../src/users/user-type/user-type-rule';
import { UserTypeService } from '../../src/users/user-type/user-type.service';
import { TransferDatabase } from './transfer-database';

const READ: DirectoryRecord = { permission: { id: 'read', grants: 'member' } };
const ADMINISTER: DirectoryRecord = { permission: { id: 'administer', grants: 'administrator' } };
const ATLAS: DirectoryRecord = { workspace: { id: 'atlas', name: 'Atlas', permissions: ['read'] } };
const EDITORS: DirectoryRecord = { group: { id: 'editors', name: 'Editors', workspace: 'atlas' } };

describe('an import', () => {
  let database: TransferDatabase;

  beforeAll(async () => {
    database = await TransferDatabase.open();
  });
  beforeEach(() => database.directory.clear());
  afterAll(() => database.close());

  const user = async (id: string): Promise<unknown> => {
    const [row]: unknown[] = await database.dataSource.query(
      'SELECT email, display_name AS "displayName", status, type FROM users WHERE id = $1',
      [id],
    );
    return row;
  };

  it('creates records from lines in any order, and derives the types of users', async () => {
    const summary = await database.import(
      { user: { id: 'ada', email: 'ada@example.com', displayName: 'Ada', permissions: ['administer'] } },
      { user: { id: 'ben', workspaces: ['atlas', 'atlas'], groups: ['editors'] } },
      { user: { id: 'cyd', status: 'inactive' } },
      EDITORS,
      ATLAS,
      ADMINISTER,
      READ,
    );
    expect(summary).toMatchObject({ records: 7, created: { permission: 2, workspace: 1, group: 1, user: 3 } });
    await expect(database.directory.state()).resolves.toEqual({
      users: [
        { id: 'ada', type: 'administrator', status: 'active' },
        { id: 'ben', type: 'member', status: 'active' },
        { id: 'cyd', type: 'guest', status: 'inactive' },
      ],
      workspaces: ['ben in atlas'],
      groups: ['ben in editors'],
    });
  });

  it.each(['ben ', '\tben', 'ben\u200b', '\ufeffben', '\u00a0', '.', '..'])(
    'makes no record with the id %j, and changes one that has it already',
    async (id) => {
      const lines = (name: string): DirectoryRecord[] => [
        { permission: { id, description: name, grants: 'member' } },
        { workspace: { id, name, permissions: [id] } },
        { group: { id, name, workspace: id } },
        { user: { id, displayName: name, workspaces: [id], groups: [id] } },
      ];
      await database.import({ user: { id: 'ben' } });
      const problems = ['permission', 'workspace', 'group', 'user'].map(
        (kind, index) =>
          `Line ${index + 1}: there is no ${kind} ${quote(id)} yet, and the id of a new ${kind} neither begins nor ends with ` +
          'white space or an invisible character, and is not . or ..',
      );
      expect(await database.refusal(...lines('New'))).toBe(problems.join('.\n'));

      await database.directory.permission(id, 'guest');
      await database.directory.workspace(id);
      await database.directory.group(id, id);
      await database.directory.user(id);
      await database.import(...lines('Old'));
      expect((await database.export()).filter((line) => line.includes('"Old"'))).toEqual([
        JSON.stringify({ permission: { id, description: 'Old', grants: 'member' } }),
        JSON.stringify({ workspace: { id, name: 'Old', permissions: [id] } }),
        JSON.stringify({ group: { id, name: 'Old', workspace: id, permissions: [] } }),
        JSON.stringify({
          user: {
            id,
            email: null,
            displayName: 'Old',
            status: 'active',
            permissions: [],
            workspaces: [id],
            groups: [id],
          },
        }),
      ]);
    },
  );

  it('makes no user with the name of an operation, and shows what is invisible', async () => {
    expect(await database.refusal({ user: { id: 'manage-status' } }, { user: { id: '\u200b\u{e0001}ö b' } })).toBe(
      'Line 1: there is no user "manage-status" yet, and the id of a new user is not the name of an operation.\n' +
        'Line 2: there is no user "\\u{200b}\\u{e0001}ö b" yet, and the id of a new user neither begins nor ends with white space ' +
        'or an invisible character, and is not . or ..',
    );
    await database.import({ workspace: { id: 'manage-status', name: 'W' } });
  });

  it('changes only the fields that a line has, and clears those that are null', async () => {
    await database.import(READ, ADMINISTER, ATLAS, EDITORS, {
      user: {
        id: 'ada',
        email: 'ada@example.com',
        displayName: 'Ada',
        status: 'inactive',
        permissions: ['administer'],
        workspaces: ['atlas'],
        groups: ['editors'],
      },
    });
    const before = await database.export();
    await database.import({ user: { id: 'ada' } }, { workspace: { id: 'atlas', name: 'Atlas' } });
    await expect(database.export()).resolves.toEqual(before);

    await database.import({ user: { id: 'ada', email: null, displayName: null, permissions: ['read'], groups: [] } });
    await expect(user('ada')).resolves.toEqual({ email: null, displayName: null, status: 'inactive', type: 'member' });
    const { workspaces, groups } = await database.directory.state();
    expect({ workspaces, groups }).toEqual({ workspaces: ['ada in atlas'], groups: [] });
  });

  it('removes users who leave a workspace from its groups only if the line has both lists, and is otherwise refused', async () => {
    await database.import(READ, ATLAS, EDITORS, { user: { id: 'ada', workspaces: ['atlas'], groups: ['editors'] } });
    const before = await database.rows();
    await expect(
      database.refusal({ workspace: { id: 'b', name: 'B' } }, { user: { id: 'ada', workspaces: ['b'] } }),
    ).resolves.toBe(
      'Line 2: this user is in the group "editors" of the workspace "atlas", which the line takes away: ' +
        'list the workspace, or give the groups that remain',
    );
    await expect(database.rows()).resolves.toEqual(before);

    await database.import({ user: { id: 'ada', workspaces: [], groups: [] } });
    await expect(database.directory.state()).resolves.toMatchObject({ workspaces: [], groups: [] });
  });

  it('keeps the groups of users who stay in their workspaces', async () => {
    await database.import(
      READ,
      ATLAS,
      EDITORS,
      { workspace: { id: 'borealis', name: 'Borealis' } },
      { user: { id: 'ada', workspaces: ['borealis', 'atlas'], groups: ['editors'] } },
    );
    await database.import({ user: { id: 'ada', workspaces: ['atlas'] } }, { user: { id: 'new', workspaces: [] } });
    await expect(database.directory.state()).resolves.toMatchObject({
      workspaces: ['ada in atlas'],
      groups: ['ada in editors'],
    });
  });

  it('updates the types of users whom it does not name', async () => {
    await database.import(
      READ,
      ADMINISTER,
      ATLAS,
      EDITORS,
      ...[
        { id: 'by-user', permissions: ['read'] },
        { id: 'by-workspace', workspaces: ['atlas'] },
        { id: 'by-group', workspaces: ['atlas'], groups: ['editors'] },
        { id: 'untouched', permissions: ['administer'] },
      ].map((user) => ({ user })),
    );
    const types = async (): Promise<unknown[]> =>
      Promise.all(['by-user', 'by-workspace', 'by-group'].map((id) => database.directory.typeOf(id)));

    await database.import({
      group: { id: 'editors', name: 'Editors', workspace: 'atlas', permissions: ['administer'] },
    });
    await expect(types()).resolves.toEqual(['member', 'member', 'administrator']);
    await database.import({ workspace: { id: 'atlas', name: 'Atlas', permissions: [] } });
    await expect(types()).resolves.toEqual(['member', 'guest', 'administrator']);
    await database.import({ permission: { id: 'read', grants: 'manager' } }, ATLAS);
    await expect(types()).resolves.toEqual(['manager', 'manager', 'administrator']);
    await database.import({ permission: { id: 'read', grants: 'guest' } });
    await expect(types()).resolves.toEqual(['guest', 'guest', 'administrator']);
  });

  it('derives types by the rule of the application', async () => {
    class EverybodyManages extends UserTypeRule {
      override readonly query = `SELECT key, 'manager'::user_type AS type FROM users WHERE key = ANY ($1)`;
    }
    await database.dataSource.query('DELETE FROM user_type_rule');
    await database.importLines(['{"user":{"id":"ada"}}'], new UserTypeService(new EverybodyManages()));
    await expect(database.directory.typeOf('ada')).resolves.toBe('manager');
    await database.dataSource.query('DELETE FROM user_type_rule');
  });

  it('writes a new user once, with the type that follows from direct, workspace and group permissions', async () => {
    await database.import(
      { permission: { id: 'read', grants: 'member' } },
      { permission: { id: 'manage', grants: 'manager' } },
      { workspace: { id: 'atlas', name: 'Atlas', permissions: ['read'] } },
      { group: { id: 'leads', name: 'Leads', workspace: 'atlas', permissions: ['manage'] } },
    );
    const imported = await database.import(
      { user: { id: 'held', permissions: ['read'] } },
      { user: { id: 'there', workspaces: ['atlas'] } },
      { user: { id: 'lead', workspaces: ['atlas'], groups: ['leads'] } },
    );
    // Three users, one permission and three memberships: no row is written again for its type.
    expect(imported.rowsWritten).toBe(7);
    expect(await Promise.all(['held', 'there', 'lead'].map((id) => database.directory.typeOf(id)))).toEqual([
      'member',
      'member',
      'manager',
    ]);
  });

  it('lets two users swap their email addresses', async () => {
    await database.import(
      { user: { id: 'ada', email: 'one@example.com' } },
      { user: { id: 'ben', email: 'two@example.com' } },
    );
    await database.import(
      { user: { id: 'ada', email: 'TWO@example.com' } },
      { user: { id: 'ben', email: 'one@example.com' } },
    );
    await expect(user('ada')).resolves.toMatchObject({ email: 'TWO@example.com' });
  });

  it('gives an email address that one user gives up to another, in any order of the lines', async () => {
    await database.import(
      { user: { id: 'ada', email: 'one@example.com' } },
      { user: { id: 'ben', email: 'two@example.com' } },
    );
    const given = await database.import(
      { user: { id: 'ada', email: 'TWO@example.com' } },
      { user: { id: 'ben', email: null } },
    );
    expect(given.rowsWritten).toBe(2);
    await database.import({ user: { id: 'ada', email: null } }, { user: { id: 'ben', email: 'two@example.com' } });
    await expect(user('ada')).resolves.toMatchObject({ email: null });
    await expect(user('ben')).resolves.toMatchObject({ email: 'two@example.com' });
  });

  it('changes nothing if a line is wrong, and names that line, counting blank lines', async () => {
    await database.import(READ, ATLAS);
    const before = await database.rows();
    const lines = ['{"workspace":{"id":"atlas","name":"Renamed"}}', '', '{"user":{"id":"ada"}}', '{"user":{"id":7}}'];
    await expect(database.importLines(lines)).rejects.toMatchObject({ problems: [{ line: 4 }] });
    await expect(
      database.importLines([...lines.slice(0, 3), '{"user":{"id":"ben","groups":["x"]}}']),
    ).rejects.toMatchObject({ problems: [{ line: 4 }] });
    await expect(database.rows()).resolves.toEqual(before);
  });

  it('names all bad lines at once, in their order, whatever is wrong with them, each once', async () => {
    await database.import(READ, ATLAS);
    const lines = [
      '{"user":{"id":"ada","workspaces":["nowhere"],"groups":["nobody"]}}',
      '{"user":{"id":"ben","status":"asleep"}}',
      '',
      '{"workspace":{"id":"borealis"}}',
      '{"group":{"id":"b","name":"B","workspace":"borealis"}}',
      '{"user":{"id":"cyd","workspaces":["borealis"],"groups":["b","editors"]}}',
      '{"user":{"id":"ben"}}',
      { notUtf8: '\uFFFD' },
    ];
    await expect(database.importLines(lines)).rejects.toMatchObject({
      problems: [
        { line: 1, problem: expect.stringContaining('no workspace "nowhere"') },
        { line: 2, problem: expect.stringContaining('user.status must be') },
        { line: 4, problem: 'workspace.name is missing' },
        { line: 6, problem: expect.stringContaining('no group "editors"') },
        { line: 7, problem: 'the user "ben" is already on line 2' },
        { line: 8, problem: 'not valid UTF-8' },
      ],
    });
  });

  it('names the first hundred bad lines', async () => {
    const named = (lines: string[]) =>
      database.importLines(lines).then(
        () => [],
        ({ problems }: { problems: { line: number }[] }) => problems.map(({ line }) => line),
      );
    const hundred = Array.from({ length: 100 }, (_, index) => 2 * index + 1);
    const interleaved = (bad: string) => Array.from({ length: 300 }, (_, n) => (n % 2 ? '' : bad.replace('#', `${n}`)));
    expect(await named(interleaved('{'))).toEqual(hundred);
    expect(await named(interleaved('{"user":{"id":"#","groups":["x"]}}'))).toEqual(hundred);
  });

  it.each<[string, DirectoryRecord[]]>([
    ['Line 2: the user "ada" is already on line 1', [{ user: { id: 'ada' } }, { user: { id: 'ada' } }]],
    ['Line 1: there is no permission "x"', [{ user: { id: 'ada', permissions: ['read', 'x'] } }]],
    ['Line 1: there is no permission "x"', [{ workspace: { id: 'borealis', name: 'B', permissions: ['x'] } }]],
    ['Line 2: there is no workspace "x"', [READ, { user: { id: 'ada', workspaces: ['atlas', 'x'] } }]],
    ['Line 1: there is no workspace "x"', [{ group: { id: 'g', name: 'G', workspace: 'x' } }]],
    ['Line 1: there is no group "x"', [{ user: { id: 'ada', groups: ['x'] } }]],
    [
      'Line 1: the group "editors" lives in the workspace "atlas" and cannot move to another',
      [
        { group: { id: 'editors', name: 'Editors', workspace: 'borealis' } },
        { workspace: { id: 'borealis', name: 'B' } },
      ],
    ],
    [
      'Line 1: the group "editors" lives in the workspace "atlas", which this user is not in',
      [{ user: { id: 'ada', groups: ['editors'] } }],
    ],
    [
      'Line 2: the group "g" lives in the workspace "borealis", which this user is not in',
      [
        { group: { id: 'g', name: 'G', workspace: 'borealis' } },
        { user: { id: 'insider', workspaces: ['atlas'], groups: ['editors', 'g'] } },
        { workspace: { id: 'borealis', name: 'B' } },
      ],
    ],
    [
      'Line 1: the group "editors" lives in the workspace "atlas", which this user is not in',
      [{ user: { id: 'insider', workspaces: [], groups: ['editors'] } }],
    ],
    [
      'Line 2: the email "ÄDA@example.com" is already given on line 1',
      [{ user: { id: 'ada', email: 'äda@example.com' } }, { user: { id: 'ben', email: 'ÄDA@example.com' } }],
    ],
    [
      'Line 1: the email "In@example.com" belongs to the user "insider"',
      [{ user: { id: 'ada', email: 'In@example.com' } }],
    ],
  ])('is refused: %s', async (problem, records) => {
    await database.import(READ, ATLAS, EDITORS, {
      user: { id: 'insider', email: 'in@example.com', workspaces: ['atlas'] },
    });
    const before = await database.rows();
    await expect(database.refusal(...records)).resolves.toContain(problem);
    await expect(database.rows()).resolves.toEqual(before);
  });

  it('adds a user to a group of a workspace that the user is already in, without naming the workspace', async () => {
    await database.import(READ, ATLAS, EDITORS, { user: { id: 'insider', workspaces: ['atlas'] } });
    await database.import({ user: { id: 'insider', groups: ['editors'] } });
    await expect(database.directory.state()).resolves.toMatchObject({ groups: ['insider in editors'] });
  });

  describe('of the last active administrator', () => {
    const LAST = 'leave the directory without an active administrator';

    beforeEach(() => database.import(ADMINISTER, READ, { user: { id: 'ada', permissions: ['administer'] } }));

    it.each<[string, DirectoryRecord]>([
      ['deactivated', { user: { id: 'ada', status: 'inactive' } }],
      ['demoted', { user: { id: 'ada', permissions: ['read'] } }],
      ['demoted by the permission', { permission: { id: 'administer', grants: 'member' } }],
    ])('is refused if the administrator would be %s', async (_, record) => {
      await expect(database.import(record)).rejects.toThrow(LAST);
      await expect(user('ada')).resolves.toMatchObject({ type: 'administrator', status: 'active' });
    });

    it('is accepted if it names another administrator', async () => {
      await database.import(
        { user: { id: 'ada', permissions: [] } },
        { user: { id: 'zoe', permissions: ['administer'] } },
      );
      await expect(user('ada')).resolves.toMatchObject({ type: 'guest' });
    });

    it('is accepted if the other administrator comes 10,000 lines later', async () => {
      const crowd = Array.from({ length: 10_000 }, (_, n) => ({ user: { id: `crowd-${n}` } }));
      await database.import({ user: { id: 'ada', permissions: [] } }, ...crowd, {
        user: { id: 'zoe', permissions: ['administer'] },
      });
      await expect(user('ada')).resolves.toMatchObject({ type: 'guest' });
      await expect(database.import({ user: { id: 'zoe', permissions: [] } }, ...crowd)).rejects.toThrow(LAST);
    });

    it('need not leave an administrator in a directory that never had one', async () => {
      await database.directory.clear();
      await database.import(READ, { user: { id: 'ben', permissions: ['read'] } });
      await database.import({ user: { id: 'ben', status: 'inactive' } });
      await expect(user('ben')).resolves.toMatchObject({ type: 'member', status: 'inactive' });
    });
  });
});
