import { GROUP_TYPE } from '../src/group-schema';
import { applyPatch } from '../src/patch';
import { type Complex, readResource } from '../src/resource';
import { ENTERPRISE_USER, USER, USER_TYPE } from '../src/user-schema';

const ENTERPRISE = ENTERPRISE_USER.id;

const WORK: Complex = { value: 'ada@work.example', type: 'work', primary: true };
const HOME: Complex = { value: 'ada@home.example', type: 'home' };
const EMPLOYEE: Complex = { department: 'Engines', manager: { value: 'cyd' } };
const ADA: Complex = {
  userName: 'ada',
  active: true,
  name: { givenName: 'Ada', familyName: 'Byron' },
  emails: [WORK, HOME],
  [ENTERPRISE]: EMPLOYEE,
};

const patchBody = (...operations: unknown[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: operations,
});
/** What a PATCH changes of Ada. An attribute that is taken away is null. */
function changesOfAda(...operations: unknown[]): object {
  const { resource } = applyPatch(ADA, patchBody(...operations), USER_TYPE);
  const names = new Set([...Object.keys(ADA), ...Object.keys(resource)]);
  const changed = [...names].filter((name) => JSON.stringify(resource[name]) !== JSON.stringify(ADA[name]));
  return Object.fromEntries(changed.map((name) => [name, resource[name] ?? null]));
}

it('tells which attributes of the core schema the operations name, whatever they make of them', () => {
  const { named } = applyPatch(
    ADA,
    patchBody(
      {
        op: 'replace',
        value: { ACTIVE: true, [USER.id]: { title: 'Dr' }, [`${ENTERPRISE}:department`]: 'x', none: 1 },
      },
      { op: 'add', path: 'emails[type eq "work"].display', value: 'Work' },
      { op: 'remove', path: 'nickName' },
    ),
    USER_TYPE,
  );
  expect([...named]).toEqual(['active', 'title', 'emails', 'nickName']);
});

it.each<[title: string, operations: unknown[], changes: object]>([
  ['replaces without a path (Okta)', [{ op: 'replace', value: { active: false } }], { active: false }],
  ['takes "False" for a boolean (Entra ID)', [{ op: 'Replace', path: 'active', value: 'False' }], { active: false }],
  [
    'takes "True" in a value',
    [
      { op: 'REPLACE', value: { Active: 'False' } },
      { op: 'add', value: { ACTIVE: 'TRUE' } },
    ],
    {},
  ],
  [
    'takes 1 and 0 for booleans, and numbers for text',
    [
      { op: 'replace', value: { active: 0, title: 7 } },
      { op: 'replace', path: 'active', value: '1' },
      { op: 'add', path: 'emails[primary eq 1].display', value: 4.5 },
      { op: 'add', path: `${ENTERPRISE}:manager`, value: 4711 },
    ],
    {
      title: '7',
      emails: [{ ...WORK, display: '4.5' }, HOME],
      [ENTERPRISE]: { department: 'Engines', manager: { value: '4711' } },
    },
  ],
  ['takes an empty path for none', [{ op: 'replace', path: '', value: { title: 'Dr' } }], { title: 'Dr' }],
  ['takes a schema as a path', [{ op: 'replace', path: USER.id, value: { title: 'Dr' } }], { title: 'Dr' }],
  ['takes a schema as a key', [{ op: 'replace', value: { [USER.id]: { title: 'Dr' } } }], { title: 'Dr' }],
  ['adds a simple attribute', [{ op: 'Add', path: 'nickName', value: 'A' }], { nickName: 'A' }],
  ['takes names in any case', [{ op: 'add', path: 'USERNAME', value: 'eve' }], { userName: 'eve' }],
  ['takes a URN in any case', [{ op: 'add', path: `${USER.id.toUpperCase()}:title`, value: 'Dr' }], { title: 'Dr' }],
  [
    'changes a part',
    [{ op: 'replace', path: 'name.familyName', value: 'King' }],
    { name: { givenName: 'Ada', familyName: 'King' } },
  ],
  [
    'merges the parts of a complex attribute',
    [{ op: 'replace', path: 'name', value: { familyName: 'King' } }],
    { name: { givenName: 'Ada', familyName: 'King' } },
  ],
  [
    'takes keys that are paths',
    [{ op: 'replace', value: { 'name.familyName': 'King', [`${ENTERPRISE}:employeeNumber`]: '7' } }],
    { name: { givenName: 'Ada', familyName: 'King' }, [ENTERPRISE]: { ...EMPLOYEE, employeeNumber: '7' } },
  ],
  [
    'takes keys that select',
    [{ op: 'replace', value: { 'emails[type eq "home"].value': 'x@y.example' } }],
    { emails: [WORK, { ...HOME, value: 'x@y.example' }] },
  ],
  [
    'takes an extension as a value',
    [{ op: 'add', value: { [ENTERPRISE]: { Department: 'Looms', costCenter: null } } }],
    { [ENTERPRISE]: { manager: { value: 'cyd' }, department: 'Looms' } },
  ],
  [
    'takes an extension as a path',
    [{ op: 'add', path: ENTERPRISE, value: { department: 'Looms' } }],
    { [ENTERPRISE]: { manager: { value: 'cyd' }, department: 'Looms' } },
  ],
  ['takes an extension away', [{ op: 'remove', path: ENTERPRISE.toLowerCase() }], { [ENTERPRISE]: null }],
  [
    'takes a manager as text',
    [{ op: 'replace', path: `${ENTERPRISE}:manager`, value: 'eve' }],
    { [ENTERPRISE]: { department: 'Engines', manager: { value: 'eve' } } },
  ],
  [
    'keeps nothing of the manager before',
    [
      { op: 'replace', path: `${ENTERPRISE}:manager`, value: { value: 'fay', displayName: 'Fay' } },
      { op: 'replace', path: `${ENTERPRISE}:manager`, value: { value: 'eve' } },
    ],
    { [ENTERPRISE]: { department: 'Engines', manager: { value: 'eve' } } },
  ],
  [
    'adds the name of the same manager',
    [{ op: 'replace', path: `${ENTERPRISE}:manager`, value: { value: 'cyd', displayName: 'Cyd' } }],
    { [ENTERPRISE]: { department: 'Engines', manager: { value: 'cyd', displayName: 'Cyd' } } },
  ],
  [
    'takes the value of a manager',
    [{ op: 'replace', path: `${ENTERPRISE}:manager.value`, value: 'eve' }],
    { [ENTERPRISE]: { department: 'Engines', manager: { value: 'eve' } } },
  ],
  [
    'takes an empty manager as none',
    [{ op: 'replace', path: `${ENTERPRISE}:manager`, value: '' }],
    { [ENTERPRISE]: { department: 'Engines' } },
  ],
  [
    'takes a manager away',
    [
      { op: 'remove', path: `${ENTERPRISE}:manager` },
      { op: 'remove', path: `${ENTERPRISE}:department` },
    ],
    { [ENTERPRISE]: null },
  ],
  [
    'changes the value that is selected',
    [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'x@y.example' }],
    { emails: [{ ...WORK, value: 'x@y.example' }, HOME] },
  ],
  [
    'selects whatever the case',
    [{ op: 'add', path: 'Emails[TYPE EQ "Home" and not (primary eq true)].Display', value: 'H' }],
    { emails: [WORK, { ...HOME, display: 'H' }] },
  ],
  [
    'makes a value that is not there (Entra ID)',
    [{ op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '1' }],
    { phoneNumbers: [{ type: 'mobile', value: '1' }] },
  ],
  [
    'makes it by several conditions',
    [{ op: 'Replace', path: 'roles[primary eq "True" and type eq "x"].value', value: 'r' }],
    { roles: [{ primary: true, type: 'x', value: 'r' }] },
  ],
  [
    'adds values that are new',
    [{ op: 'add', path: 'emails', value: [{ type: 'home', value: 'ada@home.example' }, { value: 'new@y.example' }] }],
    { emails: [WORK, HOME, { value: 'new@y.example' }] },
  ],
  [
    'leaves one primary',
    [{ op: 'add', path: 'emails', value: { value: 'new@y.example', primary: true } }],
    { emails: [{ ...WORK, primary: false }, HOME, { value: 'new@y.example', primary: true }] },
  ],
  [
    'leaves one primary by a path',
    [{ op: 'replace', path: 'emails[type eq "home"].primary', value: 'true' }],
    {
      emails: [
        { ...WORK, primary: false },
        { ...HOME, primary: true },
      ],
    },
  ],
  [
    'leaves the last of several primary, whether they are new or not',
    [
      {
        op: 'add',
        path: 'ims',
        value: [
          { value: 'a', primary: true },
          { value: 'a', primary: true },
        ],
      },
      {
        op: 'replace',
        path: 'roles',
        value: [
          { value: 'r', primary: true },
          { value: 's', primary: true },
        ],
      },
      { op: 'replace', path: 'emails.primary', value: true },
      {
        op: 'add',
        path: 'emails',
        value: [
          { value: 'new@y.example', primary: true },
          { ...HOME, primary: true },
        ],
      },
    ],
    {
      ims: [
        { value: 'a', primary: false },
        { value: 'a', primary: true },
      ],
      roles: [
        { value: 'r', primary: false },
        { value: 's', primary: true },
      ],
      emails: [
        { ...WORK, primary: false },
        { ...HOME, primary: true },
        { value: 'new@y.example', primary: false },
      ],
    },
  ],
  [
    'replaces a selected value whole',
    [
      { op: 'replace', path: 'emails[type eq "work"]', value: { value: 'x@y.example' } },
      { op: 'replace', path: 'emails[type eq "home"]', value: null },
      { op: 'add', path: 'emails[value eq "x@y.example"]', value: { display: 'X' } },
    ],
    { emails: [{ value: 'x@y.example', display: 'X' }] },
  ],
  [
    'takes the last part of a value away',
    [
      { op: 'add', path: 'ims', value: 'a' },
      { op: 'remove', path: 'ims[value eq "a"].value' },
    ],
    {},
  ],
  [
    'replaces all values',
    [{ op: 'replace', path: 'emails', value: [{ value: 'new@y.example' }] }],
    { emails: [{ value: 'new@y.example' }] },
  ],
  ['replaces all values by none', [{ op: 'replace', path: 'emails', value: [] }], { emails: null }],
  ['takes a selected value away', [{ op: 'Remove', path: 'emails[value ew "@HOME.example"]' }], { emails: [WORK] }],
  [
    'takes values away by a list',
    [{ op: 'remove', path: 'emails', value: [{ value: 'ada@work.example' }] }],
    { emails: [HOME] },
  ],
  [
    'takes a part of a selected value away',
    [{ op: 'remove', path: 'emails[type eq "work"].primary' }],
    { emails: [{ value: WORK.value ?? '', type: 'work' }, HOME] },
  ],
  [
    'takes an attribute away',
    [
      { op: 'remove', path: 'name' },
      { op: 'remove', path: 'emails' },
    ],
    { name: null, emails: null },
  ],
  [
    'takes null as no value',
    [{ op: 'replace', value: { name: null, emails: null, title: null } }],
    { name: null, emails: null },
  ],
  [
    'takes nothing away where nothing is',
    [
      { op: 'remove', path: 'title' },
      { op: 'remove', path: 'ims[type eq "x"].value' },
      { op: 'remove', path: `${ENTERPRISE}:division` },
    ],
    {},
  ],
  [
    'ignores what is not for callers',
    [
      { op: 'replace', value: { id: 'x', ID: 'y', schemas: [], meta: {}, groups: [{}], password: 'p' } },
      { op: 'replace', path: 'id', value: 'x' },
      { op: 'add', path: 'groups', value: [] },
      { op: 'replace', path: 'meta.version', value: 'x' },
    ],
    {},
  ],
  [
    'ignores what no schema has',
    [
      { op: 'add', path: 'favourite', value: 'x' },
      { op: 'add', path: 'urn:acme:User:badge', value: 1 },
      { op: 'add', path: 'urn:acme:User', value: 1 },
      { op: 'add', path: 'name.nothing', value: 1 },
      { op: 'add', value: { favourite: [], 'urn:acme:User': {}, '': 1, 'a b': 1 } },
    ],
    {},
  ],
  [
    'keeps prototypes',
    [
      {
        op: 'add',
        value: JSON.parse(
          '{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}},"name":{"__proto__":{"x":1},"constructor":"x"}}',
        ),
      },
      { op: 'add', path: 'constructor', value: { x: 1 } },
      { op: 'add', path: 'constructor.prototype', value: { x: 1 } },
      { op: 'add', path: 'name.constructor', value: 'x' },
      { op: 'add', path: 'toString', value: 'x' },
      { op: 'add', path: 'name', value: JSON.parse('{"__proto__":{"x":1}}') },
    ],
    {},
  ],
  [
    'applies one after the other',
    [
      { op: 'add', path: 'title', value: 'a' },
      { op: 'replace', path: 'title', value: 'b' },
      { op: 'remove', path: 'title' },
    ],
    {},
  ],
])('a PATCH %s', (_, operations, changes) => {
  const before = structuredClone(ADA);
  expect(changesOfAda(...operations)).toEqual(changes);
  expect(ADA).toEqual(before);
  expect(Object.prototype).not.toHaveProperty('x');
});

it.each<[title: string, kind: string, body: unknown]>([
  ['a list as a body', 'invalidSyntax', []],
  ['no operations', 'invalidSyntax', {}],
  ['an empty list of operations', 'invalidSyntax', patchBody()],
  ['operations that are none', 'invalidSyntax', patchBody('x')],
  ['an unknown operation', 'invalidSyntax', patchBody({ op: 'move', path: 'title' })],
  ['an operation without a name', 'invalidSyntax', patchBody({ path: 'title' })],
  ['a value without a path that is no object', 'invalidSyntax', patchBody({ op: 'add', value: 'x' })],
  ['a removal without a path', 'noTarget', patchBody({ op: 'remove', value: { title: 'x' } })],
  ['a path that is no text', 'invalidPath', patchBody({ op: 'add', path: 7, value: 'x' })],
  ...[
    ' ',
    '.',
    'name.',
    '.name',
    'name..x',
    'na me',
    'emails[',
    'emails[]',
    'emails[type eq]',
    'emails]',
    'emails[type eq "work"',
    'emails[type eq "work"].',
    'emails[type eq "work"].value.x',
    'emails[type eq "work"]x',
    'emails[nothing eq "x"]',
    'userName[value eq "x"]',
    '__proto__',
    '__proto__.x',
    '1st',
    'urn:',
    "name'; --",
    'x'.repeat(5_000) + '[',
    '['.repeat(20_000),
  ].map((path): [string, string, unknown] => [
    `the path ${path.slice(0, 40)}`,
    'invalidPath',
    patchBody({ op: 'add', path, value: 'x' }),
  ]),
  ['text for a boolean', 'invalidValue', patchBody({ op: 'replace', path: 'active', value: 'no' })],
  ['a number that reading has changed', 'invalidValue', patchBody({ op: 'replace', value: { title: 2 ** 53 } })],
  ['a boolean for text', 'invalidValue', patchBody({ op: 'replace', value: { title: true } })],
  ['another number for a boolean', 'invalidValue', patchBody({ op: 'replace', value: { active: 2 } })],
  ['an object for a boolean', 'invalidValue', patchBody({ op: 'replace', value: { active: {} } })],
  ['an empty path and no object', 'invalidSyntax', patchBody({ op: 'add', path: '', value: 'x' })],
  ['a removal by an empty path', 'noTarget', patchBody({ op: 'remove', path: '' })],
  ['a removal of what is required', 'mutability', patchBody({ op: 'remove', path: 'USERNAME' })],
  ['null for what is required', 'mutability', patchBody({ op: 'replace', value: { userName: null } })],
  ['an object for text', 'invalidValue', patchBody({ op: 'replace', path: 'name.givenName', value: {} })],
  ['text for an object', 'invalidValue', patchBody({ op: 'replace', path: 'name', value: 'Ada' })],
  ['text that cannot be stored', 'invalidValue', patchBody({ op: 'replace', path: 'title', value: '\0' })],
  [
    'too many values',
    'invalidValue',
    patchBody({ op: 'add', path: 'roles', value: Array.from({ length: 501 }, String) }),
  ],
  [
    'a selection that describes no value',
    'noTarget',
    patchBody({ op: 'add', path: 'ims[type ne "x"].value', value: 'x' }),
  ],
])('a PATCH with %s is refused', (_, kind, body) => {
  expect(() => applyPatch(ADA, body, USER_TYPE)).toThrow(expect.objectContaining({ kind }) as Error);
});

it.each<[title: string, operations: object[]]>([
  [
    'one text for all values',
    [
      { op: 'add', path: 'roles', value: Array.from({ length: 500 }, (_, n) => `role-${n}`) },
      { op: 'replace', path: 'roles.display', value: 'x'.repeat(200) },
    ],
  ],
  ['keys of one value', [{ op: 'add', value: { title: 'x'.repeat(40_000), nickName: 'y'.repeat(40_000) } }]],
  ['characters of several bytes', [{ op: 'add', path: 'title', value: '\u00e9'.repeat(40_000) }]],
  ['characters that JSON escapes', [{ op: 'add', path: 'title', value: '\u0001'.repeat(12_000) }]],
  [
    'operations',
    Array.from({ length: 20 }, (_, n) => ({ op: 'add', path: 'ims', value: 'x'.repeat(4_000) + String(n) })),
  ],
])('a resource of more than 64 KiB is refused: %s', (_, operations) => {
  expect(() => applyPatch(ADA, patchBody(...operations), USER_TYPE)).toThrow(
    expect.objectContaining({ kind: 'tooLarge' }) as Error,
  );
});

it('a resource of almost 64 KiB is accepted, and can become smaller', () => {
  const title = 'x'.repeat(65_000);
  expect(changesOfAda({ op: 'add', path: 'title', value: title })).toEqual({ title });
  const large: Complex = { ...ADA, title: 'x'.repeat(80_000) };
  expect(applyPatch(large, patchBody({ op: 'remove', path: 'title' }), USER_TYPE).resource).toEqual(ADA);
});

const member = (value: string) => ({ value });

it.each<[title: string, operations: unknown[], cleared: boolean, added: string[], removed: string[]]>([
  [
    'adds',
    [
      {
        op: 'Add',
        path: 'members',
        value: [{ value: 'ada', display: 'Ada', $ref: null, type: 'User' }, member('ben')],
      },
    ],
    false,
    ['ada', 'ben'],
    [],
  ],
  ['adds without a path', [{ op: 'add', value: { Members: [member('ada')] } }], false, ['ada'], []],
  [
    'adds one',
    [
      { op: 'add', path: 'members', value: member('ada') },
      { op: 'add', path: `${GROUP_TYPE.core.id}:members`, value: 'ben' },
    ],
    false,
    ['ada', 'ben'],
    [],
  ],
  [
    'takes away by a list (Entra ID)',
    [{ op: 'Remove', path: 'members', value: [member('ada'), member('ben')] }],
    false,
    [],
    ['ada', 'ben'],
  ],
  [
    'takes away by a path',
    [
      { op: 'remove', path: 'members[value eq "ada"]' },
      { op: 'Remove', path: 'members[VALUE EQ "b/\\"n" or value eq "cyd"]' },
    ],
    false,
    [],
    ['ada', 'b/"n', 'cyd'],
  ],
  [
    'takes all away',
    [
      { op: 'add', path: 'members', value: 'ada' },
      { op: 'remove', path: 'members' },
    ],
    true,
    [],
    [],
  ],
  ['takes none away by an empty list', [{ op: 'remove', path: 'members', value: [] }], false, [], []],
  [
    'replaces all',
    [
      { op: 'remove', path: 'members', value: 'cyd' },
      { op: 'replace', path: 'members', value: [member('ada')] },
    ],
    true,
    ['ada'],
    [],
  ],
  [
    'replaces all without a path',
    [{ op: 'replace', value: { id: 'x', displayName: 'X', members: [member('ada')] } }],
    true,
    ['ada'],
    [],
  ],
  ['replaces all by none', [{ op: 'replace', path: 'members', value: [] }], true, [], []],
  ['replaces one', [{ op: 'replace', path: 'members[value eq "ada"].value', value: 'ben' }], false, ['ben'], ['ada']],
  [
    'leaves the name of a member',
    [{ op: 'replace', path: 'members[value eq "ada"].display', value: 'A' }],
    false,
    [],
    [],
  ],
  [
    'lets the later win',
    [
      { op: 'add', path: 'members', value: ['ada', 'ben'] },
      { op: 'remove', path: 'members', value: ['ada'] },
      { op: 'remove', path: 'members', value: ['cyd'] },
      { op: 'add', path: 'members', value: ['cyd'] },
    ],
    false,
    ['ben', 'cyd'],
    ['ada'],
  ],
])('a PATCH of a group %s', (_, operations, cleared, added, removed) => {
  const { members } = applyPatch({ displayName: 'G' }, patchBody(...operations), GROUP_TYPE);
  expect([members.cleared, [...members.added], [...members.removed]]).toEqual([cleared, added, removed]);
});

it.each<[title: string, kind: string, operation: object]>([
  ['a nested group', 'invalidValue', { op: 'add', path: 'members', value: [{ value: 'x', type: 'Group' }] }],
  ['a member without an id', 'invalidValue', { op: 'add', path: 'members', value: [{ display: 'x' }] }],
  ['too many members', 'invalidValue', { op: 'add', path: 'members', value: new Array(100_001).fill('x') }],
  ['a member that is a boolean', 'invalidValue', { op: 'add', path: 'members', value: [true] }],
  ['a removal of its name', 'mutability', { op: 'remove', path: 'displayName' }],
  ['a replacement of members without a value', 'invalidValue', { op: 'replace', path: 'members' }],
  ['a replacement of members by null', 'invalidValue', { op: 'Replace', path: 'MEMBERS', value: null }],
  ['a replacement of members by an empty text', 'invalidValue', { op: 'replace', path: 'members', value: '' }],
  ['the same without a path', 'invalidValue', { op: 'replace', value: { members: null } }],
  ['a replacement of the values of members without one', 'invalidValue', { op: 'replace', path: 'members.value' }],
  ['a removal of the values of members', 'invalidPath', { op: 'remove', path: 'members.value' }],
  ['a removal of another part of members', 'invalidPath', { op: 'REMOVE', path: 'Members.display', value: 'x' }],
  ['a selection of members by something else', 'invalidPath', { op: 'remove', path: 'members[display eq "x"]' }],
])('a PATCH of a group with %s is refused', (_, kind, operation) => {
  const apply = () => applyPatch({ displayName: 'G' }, patchBody(operation), GROUP_TYPE);
  expect(apply).toThrow(expect.objectContaining({ kind }) as Error);
});

it('a PATCH names at most 100,000 members in all its operations', () => {
  const operation = (op: string, begin: number) => ({
    op,
    path: 'members',
    value: Array.from({ length: 60_000 }, (_, index) => `user-${begin + index}`),
  });
  const both = patchBody(operation('add', 0), operation('remove', 60_000));
  expect(() => applyPatch({}, both, GROUP_TYPE)).toThrow(expect.objectContaining({ kind: 'invalidValue' }) as Error);
});

it('a PATCH of many members, one operation for each, does linear work', () => {
  const ids = Array.from({ length: 30_000 }, (_, index) => `user-${index}`);
  const operations = ids.map((id) => ({ op: 'add', path: 'members', value: [member(id)] }));
  const removals = ids.slice(1).map((id) => ({ op: 'remove', path: `members[value eq "${id}"]` }));
  const { members } = applyPatch({}, patchBody(...operations, ...removals), GROUP_TYPE);
  expect([...members.added]).toEqual(['user-0']);
  expect(members.removed.size).toBe(29_999);
});

it('a body is kept in the spelling of the schemas, without what no schema has', () => {
  const body: Record<string, unknown> = {
    schemas: [USER.id],
    ID: 'x',
    USERNAME: 'ada',
    externalid: 'e',
    password: 'secret',
    Name: { GIVENNAME: 'Ada', constructor: 1 },
    active: 'False',
    EMAILS: [{ Value: 'a@x.example', PRIMARY: 'True', other: 1 }, null, {}, { value: 'b@x.example', primary: 1 }],
    phoneNumbers: { value: 1 },
    ims: [],
    nickName: null,
    [ENTERPRISE.toUpperCase()]: { Manager: 'cyd', costcenter: 'c', EMPLOYEENUMBER: 4711 },
    'urn:acme:User': { x: 1 },
    ...(JSON.parse('{"__proto__":{"x":1},"constructor":{"x":1}}') as object),
  };
  expect(readResource(body, USER_TYPE)).toEqual({
    userName: 'ada',
    externalId: 'e',
    name: { givenName: 'Ada' },
    active: false,
    emails: [
      { value: 'a@x.example', primary: false },
      { value: 'b@x.example', primary: true },
    ],
    phoneNumbers: [{ value: '1' }],
    [ENTERPRISE]: { manager: { value: 'cyd' }, costCenter: 'c', employeeNumber: '4711' },
  });
});
