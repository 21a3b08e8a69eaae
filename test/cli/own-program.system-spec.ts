import { writeFileSync } from 'node:fs';
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

describe('the command line of an application with a rule of its own', () => {
  let database: OpenedDatabase;
  let plain: UserAdmin;
  let own: UserAdmin;

  beforeEach(async () => {
    database = await openTestDatabase();
    plain = new UserAdmin({ DATABASE_URL: database.url });
    const program = join(plain.folder, 'own.cjs');
    writeFileSync(program, PROGRAM);
    own = new UserAdmin({ DATABASE_URL: database.url }, program);
  });
  afterEach(async () => {
    plain.dispose();
    own.dispose();
    await database.close();
  });

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
    await plain.run(['migrate']);
    const [done, changed] = [await importBen(own), await plain.run(['directory', 'export'])];
    expect(done).toEqual({ exitCode: 0, stdout: '', stderr: 'Imported 1 record. New: 1 user.\n' });
    expect(changed.stdout).toContain('"id":"ben"');
    expect(await importBen(plain)).toEqual(refused);
    expect((await importBen(plain, { USER_TYPE_RULE_TAKE_OVER: 'true' })).exitCode).toBe(0);
    expect(await importBen(own)).toEqual(refused);
  });
});
