import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { catchAlls, misnamedFiles, misplacedRoles, repeatedChanges } from './file.rules';
import { parseAll, PROJECT, readSources } from './source-tree';

const sources = readSources();

describe('the files of the service', () => {
  it('are named kebab-case.role.ts', () => {
    expect(misnamedFiles(sources)).toEqual([]);
  });

  it('are named after the roles of their classes', () => {
    expect(misplacedRoles(sources)).toEqual([]);
  });

  it('are in folders with descriptive names', () => {
    expect(catchAlls(sources)).toEqual([]);
  });

  it('named .rule.ts hold their rule, or say in the first line which SQL file does', () => {
    const rules = sources.filter(({ path }) => path.endsWith('.rule.ts'));
    const missing = rules.filter(({ path, syntax }) => {
      const [, file] = /^\/\/ .*`([\w./-]+\.sql)`/.exec(syntax.text) ?? [];
      if (file === undefined) return !/^export function /m.test(syntax.text);
      return !existsSync(join(PROJECT, 'src', dirname(path), file));
    });
    expect(missing.map(({ path }) => path)).toEqual([]);
    expect(rules.length).toBeGreaterThan(0);
  });

  it('have no line above 120 characters', () => {
    const files = readdirSync(join(PROJECT, 'src'), { recursive: true, encoding: 'utf8' });
    const long = files
      .filter((path) => /\.(ts|sql)$/.test(path))
      .flatMap((path) => {
        const lines = readFileSync(join(PROJECT, 'src', path), 'utf8').split('\n');
        return lines.flatMap((line, index) => (line.length > 120 ? [`${path}:${index + 1}`] : []));
      });
    expect(long).toEqual([]);
  });

  it('write each change of a record once', () => {
    expect(repeatedChanges(sources)).toEqual([]);
  });
});

describe('the rules of files', () => {
  it('find a wrong name', () => {
    const good = ['app.ts', 'users/dto/id-list.decorator.ts', 'database/migrations/1790000000000-create-directory.ts'];
    const bad = [
      'App.ts',
      'users/userTypes.service.ts',
      'users/user_type.ts',
      'users/a.b.c.ts',
      'usersDto/a.ts',
      'a-.ts',
    ];
    expect(misnamedFiles(parseAll(Object.fromEntries([...good, ...bad].map((path) => [path, '']))))).toEqual(bad);
  });

  it('find a class in a file of another role', () => {
    const made = parseAll({
      'users/users.module.ts': '@Module({}) export class UsersModule {}',
      'users/users.service.ts': '@Controller() export class UsersController {} @Injectable() class Other {}',
      'directory/user.ts': `@Entity({ name: 'users' }) class User {}`,
      'auth/admin.ts': '@Injectable() export class AdminGuard implements CanActivate {}',
      'answers/error.filter.ts': '@Catch() export class ErrorFilter implements ExceptionFilter {}',
    });
    expect(misplacedRoles(made)).toEqual([
      'users/users.service.ts should be named .controller.ts',
      'directory/user.ts should be named .entity.ts',
      'auth/admin.ts should be named .guard.ts',
    ]);
  });

  it('find a folder or file with a name that could hold anything', () => {
    const made = parseAll({
      'utils/a.ts': '',
      'users/helpers.ts': '',
      'auth/shared/b.ts': '',
      'database/shared-session.ts': '',
    });
    expect(catchAlls(made)).toEqual(['utils/a.ts', 'users/helpers.ts', 'auth/shared/b.ts']);
  });

  it('find a change of a record that is written twice', () => {
    const made = parseAll({
      'workspaces/a.ts': "const created = { action: 'group.created' };",
      'scim/b.ts': "append({ action: 'group.created' }); query(`INSERT INTO groups (id) VALUES ($1)`);",
      'scim/c.ts': 'query(`INSERT INTO groups (id) SELECT 1`); query("INSERT INTO groups_seen");',
      'openapi/d.ts': "const example = { action: 'group.created' };",
    });
    expect(repeatedChanges(made)).toEqual([
      "action: 'group.created' in workspaces/a.ts, scim/b.ts",
      '`INSERT INTO groups in scim/b.ts, scim/c.ts',
    ]);
  });
});
