import { readRecord } from '../../src/plugins/transfer/directory-record.rules';

const line = (record: unknown): string => JSON.stringify(record);

describe('a line of an import file', () => {
  it('has one kind of record, whose optional fields may be left out', () => {
    expect(readRecord('{"user":{"id":"ada"}}')).toEqual({ kind: 'user', record: { id: 'ada' } });
    expect(readRecord(' {"permission":{"id":"p","description":null,"grants":"guest"}}\r')).toEqual({
      kind: 'permission',
      record: { id: 'p', description: null, grants: 'guest' },
    });
  });

  it('can have ids of any identity provider', () => {
    const id = `auth0|${'😀'.repeat(249)}`;
    expect(readRecord(line({ workspace: { id, name: 'W' } })).record.id).toBe(id);
  });

  it('can have text that looks like keys and quotes', () => {
    const displayName = '{"id":"\\":\\\\","\u0001\\u0022:';
    for (const text of [
      line({ user: { id: 'a:b', displayName, groups: [':', '":"'] } }),
      '{"user" :{ "id"\t:"\\u003a"}}',
    ]) {
      expect(readRecord(text).kind).toBe('user');
    }
    expect(readRecord(line({ user: { id: 'ada', groups: Array.from({ length: 200_000 }, () => '\\":') } })).kind).toBe(
      'user',
    );
  });

  it.each([
    ['{"user":{"id":"ada"}', 'not valid JSON'],
    ["{'user':{}}", 'not valid JSON'],
    [`{"user":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, 'user must be an object'],
    ['null', 'must be an object with exactly one of the keys permission, workspace, group, user'],
    ['[{"user":{"id":"ada"}}]', 'must be an object with exactly one of'],
    ['{}', 'must be an object with exactly one of'],
    ['{"person":{"id":"ada"}}', 'must be an object with exactly one of'],
    ['{"__proto__":{"id":"ada"}}', 'must be an object with exactly one of'],
    ['{"user":{"id":"ada"},"group":{}}', 'must be an object with exactly one of'],
    ['{"user":"ada"}', 'user must be an object'],
    ['{"user":{}}', 'user.id is missing'],
    ['{"user":{"id":""}}', 'user.id must be a string of 1 to 255 characters'],
    ['{"user":{"id":7}}', 'user.id must be'],
    [line({ user: { id: 'a'.repeat(256) } }), 'user.id must be'],
    ['{"user":{"id":"a\\u0000"}}', 'user.id must be'],
    ['{"user":{"id":"a\\ud800"}}', 'user.id must be'],
    ['{"user":{"id":"ada","type":"administrator"}}', 'user.type cannot be imported'],
    ['{"user":{"id":"ada","nickname":"A"}}', 'user has an unknown field "nickname"'],
    ['{"user":{"id":"ada","__proto__":{}}}', 'user has an unknown field "__proto__"'],
    ['{"user":{"id":"ada","\\u001b[31m\\u009b":1}}', 'user has an unknown field "\\u001b[31m�"'],
    ['{"user":{"id":"n1"},"user":{"id":"n2"}}', 'the same key stands twice in one object'],
    ['{"user":{"id":"n1","id":"n1"}}', 'the same key stands twice in one object'],
    ['{"user":{"id":"n1","\\u0069d":"n2","displayName":"\\\\"}}', 'the same key stands twice in one object'],
    ['{"user":{"id":"ada","groups":{"a":1,"a":1},"groups":[]}}', 'the same key stands twice in one object'],
    ['{"user":{"id":"ada","email":"ada"}}', 'user.email must be null or an address with one @'],
    ['{"user":{"id":"ada","email":"ada\u00a0@example.com"}}', 'user.email must be'],
    ['{"user":{"id":"ada","email":"ada@a\\n"}}', 'user.email must be'],
    ['{"user":{"id":"ada","email":"ada@\\udfff"}}', 'user.email must be'],
    [line({ user: { id: 'ada', email: `ada@${'a'.repeat(317)}` } }), 'user.email must be'],
    ['{"user":{"id":"ada","displayName":"a\\u0000"}}', 'user.displayName must be null or a string'],
    ['{"user":{"id":"ada","status":"Active"}}', 'user.status must be one of active, inactive'],
    ['{"user":{"id":"ada","status":null}}', 'user.status must be one of'],
    ['{"user":{"id":"ada","groups":"atlas"}}', 'user.groups must be a list of ids'],
    ['{"user":{"id":"ada","groups":null}}', 'user.groups must be a list of ids'],
    ['{"user":{"id":"ada","workspaces":["atlas",7]}}', 'user.workspaces must be a list of ids'],
    ['{"workspace":{"id":"atlas"}}', 'workspace.name is missing'],
    ['{"workspace":{"id":"atlas","name":""}}', 'workspace.name must be a string of 1 to 255 characters'],
    ['{"group":{"id":"g","name":"G"}}', 'group.workspace is missing'],
    ['{"permission":{"id":"p"}}', 'permission.grants is missing'],
    [
      '{"permission":{"id":"p","grants":"root"}}',
      'permission.grants must be one of guest, member, manager, administrator',
    ],
  ])('is refused: %.60s', (text, problem) => {
    expect(() => readRecord(text)).toThrow(problem);
  });
});
