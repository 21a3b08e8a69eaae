import type { OpenedDatabase } from '@user-administration/postgres';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { loadConfig } from '../../src/load-config';
import { createDataSource } from '../support/whole-schema';
import { openDatabase } from '../../src/database/open-database';
import { PLUGINS } from '../../src/installed-plugins';
import { newestEntries } from '../support/sealed';
import { openTestDatabase } from '../support/test-database';
import { DEMO_DIRECTORY } from '../../src/plugins/transfer/demo-directory';
import { UserAdmin } from './user-admin';

const JWT_SECRET = 'a secret for these tests, of more than 32 bytes';

const sorted = (lines: string): string[] => lines.trimEnd().split('\n').sort();

describe('user-admin directory', () => {
  let database: OpenedDatabase;
  let tool: UserAdmin;

  beforeEach(async () => {
    database = await openTestDatabase();
    tool = new UserAdmin({ DATABASE_URL: database.url, JWT_SECRET });
  });
  afterEach(async () => {
    tool.dispose();
    await database.close();
  });

  it('exports what it imported, and changes nothing when it imports that export', async () => {
    const empty = await openTestDatabase({ empty: true });
    try {
      const run = (args: string[], input = '') => tool.run(['directory', ...args], input, { DATABASE_URL: empty.url });
      const file = join(tool.folder, 'demo.ndjson');
      writeFileSync(file, `\uFEFF${DEMO_DIRECTORY.join('\r\n')}`);
      await expect(run(['import', file])).resolves.toEqual({
        exitCode: 0,
        stdout: '',
        stderr: 'Imported 18 records. New: 4 permissions, 3 workspaces, 5 groups, 6 users.\n',
      });

      const exported = await run(['export']);
      expect(exported).toMatchObject({ exitCode: 0, stderr: '' });
      expect(sorted(exported.stdout)).toEqual([...DEMO_DIRECTORY].sort());

      await expect(run(['import', '-'], exported.stdout)).resolves.toEqual({
        exitCode: 0,
        stdout: '',
        stderr: 'Read 18 records. The directory already matched them: nothing changed.\n',
      });
    } finally {
      await empty.close();
    }
  });

  it('erases a user, also one who is gone, and nobody who never was', async () => {
    await tool.run(['directory', 'import', '-'], '{"user":{"id":"ben","email":"ben@example.com"}}');
    const erased = { exitCode: 0, stdout: '', stderr: 'The user was erased.\n' };
    expect([await tool.run(['directory', 'erase', 'ben']), await tool.run(['directory', 'erase', 'ben'])]).toEqual([
      erased,
      erased,
    ]);
    expect((await tool.run(['journal', 'verify'])).exitCode).toBe(0);
    expect(await tool.run(['directory', 'erase', 'nobody'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'user-admin: There is no such user, and nobody who has gone ever had this id. Nothing was changed.\n',
    });
  });

  it('erases who bore an id before, and spares who bears it now', async () => {
    const run = (...args: string[]) => tool.run(['directory', ...args]);
    await tool.run(['directory', 'import', '-'], '{"user":{"id":"jsmith","email":"jane@example.com"}}');
    expect(await run('erase', 'jsmith', '--former')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'user-admin: Nobody who has gone ever had this id. Nothing was changed.\n',
    });
    await run('erase', 'jsmith');
    await tool.run(['directory', 'import', '-'], '{"user":{"id":"jsmith","email":"john@example.com"}}');
    expect(await run('erase', 'jsmith', '--former')).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'The former users were erased.\n',
    });
    expect((await run('export')).stdout).toContain('john@example.com');
  });

  it('says that a file has no records', async () => {
    await expect(tool.run(['directory', 'import', '-'], '\n')).resolves.toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'user-admin: The file has no records. Nothing was imported.\n',
    });
  });

  it('is the actor of its imports in the journal, which tells the name of the file and the reason', async () => {
    await tool.run(['directory', 'import', '-'], '{"user":{"id":"ada"}}');
    const file = join(tool.folder, 'people.csv');
    writeFileSync(file, 'id\nben\n');
    await tool.run(['directory', 'import', file, '--reason', 'The autumn term']);
    const dataSource = await createDataSource(database).initialize();
    const entries = await newestEntries(dataSource, 10);
    await dataSource.destroy();
    const act = { actor: { kind: 'system', id: 'user-admin import' } };
    expect(entries).toMatchObject([
      { ...act, action: 'user.created', user: 'ben', reason: 'The autumn term' },
      { ...act, action: 'directory.imported', after: { name: 'people.csv' }, reason: 'The autumn term' },
      { ...act, action: 'user.created', user: 'ada', reason: null },
      { ...act, action: 'directory.imported', after: { name: null }, reason: null },
    ]);
  });

  it('names a bad line by its number, and imports nothing', async () => {
    const lines = '{"user":{"id":"ada"}}\n\n{"user":{"id":"ben","status":"asleep"}}\n';
    await expect(tool.run(['directory', 'import', '-'], lines)).resolves.toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'user-admin: Line 3: user.status must be one of active, inactive. Nothing was imported.\n',
    });
    await expect(tool.run(['directory', 'export'])).resolves.toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });

  it('names all bad lines at once', async () => {
    const lines = '{"user":{"id":"ada","groups":["x"]}}\n{"user":{"id":"ben","status":"asleep"}}\n';
    await expect(tool.run(['directory', 'import', '-'], lines)).resolves.toEqual({
      exitCode: 1,
      stdout: '',
      stderr:
        'user-admin: Line 1: there is no group "x", neither in this file nor in the directory.\n' +
        'Line 2: user.status must be one of active, inactive.\nNothing was imported.\n',
    });
    const bad = await tool.run(['directory', 'import', '-'], 'x\n'.repeat(101));
    expect(bad.stderr).toMatch(
      /Line 100: not valid JSON\.\nNothing was imported\. Only the first 100 bad lines are named\.\n$/,
    );
  });

  it('warns of ids that a spreadsheet has rounded, and refuses to deactivate whom it misses then', async () => {
    await tool.run(['directory', 'import', '-'], DEMO_DIRECTORY.join('\n'));
    const file = join(tool.folder, 'people.csv');
    writeFileSync(file, 'sep=;\r\nId; displayName ;;\r\nada;Ada;;\r\n;;;\r\n1.23457E+11;Joe;;\r\n');
    const said =
      'ine 5: the id "1.23457E+11" looks like a number that a spreadsheet has rounded: give the column of the ids the format ' +
      'Text before you fill it, and save the file again.';
    await expect(tool.run(['directory', 'import', file, '--deactivate-missing', '--at-most', '9'])).resolves.toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `user-admin: L${said} Nothing was imported.\n`,
    });
    await expect(tool.run(['directory', 'import', file])).resolves.toEqual({
      exitCode: 0,
      stdout: '',
      stderr: `Warning: l${said}\nImported 2 records. New: 1 user.\n`,
    });
  });

  it('leaves users alone whom the file does not name, and says how many of each kind', async () => {
    await tool.run(['directory', 'import', '-'], DEMO_DIRECTORY.join('\n'));
    const run = (...args: string[]) =>
      tool.run(
        ['directory', 'import', '-', '--deactivate-missing', '--at-most', '9', ...args],
        '{"user":{"id":"dee"}}',
      );
    await expect(run('--keep', 'ben', '--keep', 'zoe', '--dry-run')).resolves.toEqual({
      exitCode: 0,
      stdout:
        'Would be created: none\nWould be changed: none\nWould be deactivated: 1 user\n  user "cyd"\n' +
        'Would stay active, although the input does not name them: 2 named by --keep, 1 administrator\n',
      stderr: 'Nothing was changed: this was a dry run.\n',
    });
    await expect(run('--keep=ada', '--include-administrators')).resolves.toEqual({
      exitCode: 0,
      stdout: '',
      stderr:
        'Imported 1 record. New: none. Deactivated: 3 users that the input does not name. ' +
        'Left active, although the input does not name them: 1 named by --keep.\n',
    });
    await expect(run()).resolves.toMatchObject({
      stderr:
        'Read 1 record. The directory already matched them: nothing changed. ' +
        'Left active, although the input does not name them: 1 administrator.\n',
    });
    await expect(run('--keep', 'bem')).resolves.toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'user-admin: There is no user "bem", whom --keep names. Nothing was imported.\n',
    });
    for (const option of [['--at-most', '9'], ['--keep', 'ben'], ['--include-administrators']])
      expect((await tool.run(['directory', 'import', '-', ...option], '')).stderr).toBe(
        `error: ${option[0]} is only for --deactivate-missing\n(--help shows the usage)\n`,
      );
  });

  it('makes the directory follow a CSV file, after it has said what that would change', async () => {
    const admins = DEMO_DIRECTORY.concat(Array.from({ length: 20 }, (_, n) => `{"user":{"id":"user-${n}"}}`));
    await tool.run(['directory', 'import', '-'], admins.join('\n'));
    const file = join(tool.folder, 'people.CSV');
    const staff = Array.from({ length: 20 }, (_, n) => `user-${n};;`);
    const rows = ['id;displayName;groups', 'ada;Ada;', 'zoe;Zoe;', 'cyd;"Cyd, ""C""";', 'joe;Joe;', ...staff];
    writeFileSync(file, `\uFEFF${rows.join('\r\n')}`);
    const run = (...args: string[]) => tool.run(['directory', 'import', file, '--deactivate-missing', ...args]);

    // Of 25 active users, these two are missing: ben and dee. Eve is inactive.
    const refused = {
      exitCode: 1,
      stdout: '',
      stderr:
        'user-admin: This would deactivate 2 of 25 active users, because the file does not name them: more than 1, ' +
        'which --at-most permits. Nothing was imported.\n',
    };
    await expect(run('--at-most', '7.99%')).resolves.toEqual(refused);
    await expect(run('--at-most', '1')).resolves.toEqual(refused);
    const preview = await run('--dry-run');
    expect(preview).toEqual({
      exitCode: 0,
      stdout:
        'Would be created: 1 user\n  user "joe"\n' +
        'Would be changed: 3 users\n  user "ada": groups\n  user "cyd": displayName\n  user "zoe": groups\n' +
        'Would be deactivated: 2 users\n  user "ben"\n  user "dee"\n',
      stderr: 'Nothing was changed: this was a dry run.\n',
    });
    await expect(run('--dry-run', '--at-most', '8%')).resolves.toEqual(preview);
    await expect(run('--at-most', '2')).resolves.toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'Imported 24 records. New: 1 user. Deactivated: 2 users that the input does not name.\n',
    });
    await expect(tool.run(['directory', 'import', '-', '--format', 'csv'], 'id,status\njoe,')).resolves.toMatchObject({
      exitCode: 1,
      stderr:
        'user-admin: Line 2: the cell of the column status must be one of active, inactive. Nothing was imported.\n',
    });
  });

  it('ends without an error when the reader of an export closes the pipe', async () => {
    const users = Array.from({ length: 5_000 }, (_, n) => `{"user":{"id":"user-${n}"}}`);
    await tool.run(['directory', 'import', '-'], users.join('\n'));
    const child = tool.start(['directory', 'export']);
    const closed = once(child, 'close');
    const stderr = text(child.stderr);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect(await closed).toEqual([0, null]);
    expect(await stderr).toBe('');
  });
});

describe('user-admin directory, with a failure', () => {
  let tool: UserAdmin;
  afterEach(() => tool.dispose());

  it.each([
    ['a file is not there', ['import', 'nothing.ndjson'], 'Cannot read nothing.ndjson: there is no such file.'],
    ['the file is a folder', ['import', '.'], 'Cannot read .: it is a folder.'],
    [
      'the database is away',
      ['export'],
      'The database does not answer (ECONNREFUSED). Check DATABASE_URL, and that the database runs.',
    ],
  ])('says in one line that %s', async (_, args, sentence) => {
    tool = new UserAdmin({ DATABASE_URL: 'postgres://127.0.0.1:1/none', JWT_SECRET });
    await expect(tool.run(['directory', ...args])).resolves.toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `user-admin: ${sentence}\n`,
    });
  });

  it('names the folder of its temporary file if it cannot write there', async () => {
    tool = new UserAdmin({ DATABASE_URL: 'postgres://127.0.0.1:1/none', JWT_SECRET, TMPDIR: '/dev/null/temporary' });
    await expect(tool.run(['directory', 'import', '-'], '{"user":{"id":"ada"}}')).resolves.toEqual({
      exitCode: 1,
      stdout: '',
      stderr:
        'user-admin: The folder /dev/null/temporary cannot be used for a temporary file (ENOTDIR). ' +
        'Let this user write there, or set TMPDIR to another folder. Nothing was imported.\n',
    });
  });
});

describe('user-admin directory, without a server', () => {
  it.each([['directory export'], ['journal verify']])('creates no database for %s', async (command) => {
    const tool = new UserAdmin({ DATA_DIR: 'data' });
    try {
      expect(await tool.run(command.split(' '))).toEqual({
        exitCode: 1,
        stdout: '',
        stderr:
          `user-admin: There is no database in ${join(tool.folder, 'data')}. ` +
          'Set DATABASE_URL to a server, or DATA_DIR to the folder of an embedded database.\n',
      });
      expect(existsSync(join(tool.folder, 'data'))).toBe(false);
    } finally {
      tool.dispose();
    }
  });

  it('works on the embedded database alone, and along with a service that has it open', async () => {
    const tool = new UserAdmin({ DATA_DIR: 'data' });
    try {
      const alone = await tool.run(['directory', 'import', '-'], '{"user":{"id":"ada"}}');
      expect(alone).toMatchObject({ exitCode: 0, stderr: 'Imported 1 record. New: 1 user.\n' });

      const service = await openDatabase(loadConfig({ DATA_DIR: join(tool.folder, 'data') }), PLUGINS);
      try {
        const dataSource = createDataSource(service);
        await dataSource.initialize();
        await tool.run(['directory', 'import', '-'], '{"user":{"id":"ben"}}');

        await expect(dataSource.query('SELECT id FROM users ORDER BY id')).resolves.toEqual([
          { id: 'ada' },
          { id: 'ben' },
        ]);
        await dataSource.destroy();
      } finally {
        await service.close();
      }
    } finally {
      tool.dispose();
    }
  });
});

describe('user-admin directory import -, on the embedded database of a running service', () => {
  it('does not hold the only session while it waits for its input or sends an export', async () => {
    const tool = new UserAdmin({ DATA_DIR: 'data' });
    expect(await tool.run(['migrate'])).toMatchObject({ exitCode: 0 });
    const service = await openDatabase(loadConfig({ DATA_DIR: join(tool.folder, 'data') }), PLUGINS);
    try {
      const dataSource = await createDataSource(service).initialize();
      const importing = tool.start(['directory', 'import', '-']);
      const ended = once(importing, 'close');
      importing.stdin.write('{"user":{"id":"ada"}}\n');
      await dataSource.query('SELECT FROM users');
      tool.start(['directory', 'export']).stdout.pipe(importing.stdin);
      expect(await ended).toEqual([0, null]);
      await expect(dataSource.query('SELECT id FROM users')).resolves.toEqual([{ id: 'ada' }]);
      await dataSource.destroy();
    } finally {
      await service.close();
      tool.dispose();
    }
  });
});

describe('user-admin', () => {
  it('ends without an error when its output is closed', async () => {
    const tool = new UserAdmin();
    const child = tool.start(['help']);
    const closed = once(child, 'close');
    const stderr = text(child.stderr);
    child.stdout.destroy();
    expect(await closed).toEqual([0, null]);
    expect(await stderr).toBe('');
    tool.dispose();
  });

  it('prints its version', async () => {
    const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string };
    const tool = new UserAdmin();
    expect(await tool.run(['--version'])).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
    tool.dispose();
  });

  it('shows how to call it, with examples', async () => {
    const tool = new UserAdmin();
    const help = await tool.run(['directory', 'import', '--help']);
    expect(help).toMatchObject({ exitCode: 0, stderr: '' });
    expect(help.stdout).toContain('$ user-admin directory import people.ndjson');
    const lost = await tool.run([]);
    expect(lost).toMatchObject({ exitCode: 2, stdout: '' });
    expect(lost.stderr).toContain('Usage: user-admin');
    for (const wrong of [
      ['--format', 'xlsx'],
      ['--at-most', '5'],
      ['--reason', ''],
      ['--reason', 'x'.repeat(501)],
      ['--deactivate-missing', '--at-most', '101%'],
      ['--deactivate-missing', '--at-most', '1.5'],
      ['--deactivate-missing', '--at-most', '-1'],
      ['--deactivate-missing', '--at-most', 'all'],
    ]) {
      const usage = await tool.run(['directory', 'import', '-', ...wrong]);
      expect([wrong, usage.exitCode]).toEqual([wrong, 2]);
    }
    const unknown = await tool.run(['directory', 'destroy']);
    expect(unknown).toMatchObject({ exitCode: 2, stdout: '' });
    expect(unknown.stderr).toContain("unknown command 'destroy'");
    tool.dispose();
  });
});
