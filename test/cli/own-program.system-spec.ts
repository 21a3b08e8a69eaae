import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { OpenedDatabase } from '@user-administration/postgres';
import { openTestDatabase } from '../support/test-database';
import { UserAdmin } from './user-admin';

/** As an application writes it, with the exports of the package. */
const PROGRAM = `
  const { createRequire } = require('node:module');
  const load = createRequire(${JSON.stringify(resolve(__dirname, '../../package.json'))});
  const { runProgram } = load('@user-administration/service/cli');
  const { UserTypeRule } = load('@user-administration/service/user-type-rule');
  class EverybodyManages extends UserTypeRule {
    query = "SELECT key, 'manager'::user_type AS type FROM users WHERE key = ANY ($1)";
  }
  runProgram(process.argv, { userTypeRule: EverybodyManages }).then((exitCode) => (process.exitCode = exitCode));
`;

/** For each test a new database, with the plain tool and one whose program is this, with its English errors if it has any. */
function useOwnProgram(program: string, errors?: object): { plain: UserAdmin; own: UserAdmin } {
  const tools = {} as { plain: UserAdmin; own: UserAdmin };
  let database: OpenedDatabase;
  beforeEach(async () => {
    database = await openTestDatabase();
    const environment = { DATABASE_URL: database.url };
    tools.plain = new UserAdmin(environment);
    const { folder } = tools.plain;
    const file = join(folder, 'own.cjs');
    writeFileSync(file, program);
    if (errors) {
      mkdirSync(join(folder, 'messages/en'), { recursive: true });
      writeFileSync(join(folder, 'messages/en/errors.json'), JSON.stringify(errors));
    }
    tools.own = new UserAdmin(environment, file);
  });
  afterEach(async () => {
    tools.plain.dispose();
    tools.own.dispose();
    await database.close();
  });
  return tools;
}

describe('the command line of an application with a rule of its own', () => {
  const tools = useOwnProgram(PROGRAM);

  const importBen = (tool: UserAdmin, environment = {}) =>
    tool.run(['directory', 'import', '-'], '{"user":{"id":"ben"}}', environment);
  const refused = {
    exitCode: 1,
    stdout: '',
    stderr:
      'user-admin: The user types in this directory follow another rule than that of this program. Run a program that has their rule, ' +
      'or set USER_TYPE_RULE_TAKE_OVER=true to derive all types anew by the rule of this one. Nothing was changed.\n',
  };

  it('imports by it, and the plain one refuses the directory, also before a change of a migrated directory', async () => {
    const { plain, own } = tools;
    await plain.run(['migrate']);
    const [done, changed] = [await importBen(own), await plain.run(['directory', 'export'])];
    expect(done).toEqual({ exitCode: 0, stdout: '', stderr: 'Imported 1 record. New: 1 user.\n' });
    expect(changed.stdout).toContain('"id":"ben"');
    expect(await importBen(plain)).toEqual(refused);
    expect((await importBen(plain, { USER_TYPE_RULE_TAKE_OVER: 'true' })).exitCode).toBe(0);
    expect(await importBen(own)).toEqual(refused);
  });
});

/** Whoever is called Xavier is refused. */
const WITH_A_RULE = `
  const { createRequire } = require('node:module');
  const load = createRequire(${JSON.stringify(resolve(__dirname, '../../package.json'))});
  const { PLUGINS } = load('@user-administration/service');
  const { runProgram } = load('@user-administration/service/cli');
  const { PluginErrors } = load('@user-administration/service/plugins');
  const errors = new PluginErrors({ 'names.taken': { status: 409, when: 'The name is taken.', args: { name: 'Xavier' } } });
  const rule = {
    judge: async (_, changes) => {
      if (changes.some(({ users }) => users?.includes('xavier'))) throw errors.refusal('names.taken', { args: { name: 'Xavier' } });
    },
  };
  const plugin = { name: 'names', folder: __dirname, errors, rule };
  runProgram(process.argv, { plugins: [...PLUGINS, plugin] }).then((exitCode) => (process.exitCode = exitCode));
`;

describe('the command line of an application with a plugin that has a rule', () => {
  const tools = useOwnProgram(WITH_A_RULE, { names: { taken: 'The name {name} is taken.' } });

  it.each(['', '--dry-run'])('refuses an import %s that the rule refuses, and changes nothing', async (option) => {
    const { own } = tools;
    const lines = '{"user":{"id":"ben"}}\n{"user":{"id":"xavier"}}\n';
    const refused = await own.run(['directory', 'import', '-', ...(option ? [option] : [])], lines);
    expect(refused).toEqual({ exitCode: 1, stdout: '', stderr: expect.stringContaining('The name Xavier is taken.') });
    expect((await own.run(['directory', 'export'])).stdout).not.toContain('ben');
    expect((await own.run(['directory', 'import', '-'], '{"user":{"id":"ben"}}')).exitCode).toBe(0);
  });
});
