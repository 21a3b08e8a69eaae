import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(__dirname, '../..');
const NEEDED = 'Node.js 20 (from 20.19 on), 22 (from 22.13 on), or 24.11 or later';

describe('a Node.js that cannot load Nest', () => {
  // What Node 18 lacks can be switched off here.
  it.each([
    ['npm start', ['scripts/build-if-needed.mjs', 'dist/main.js']],
    ['the service', ['dist/main.js']],
    ['user-admin', ['dist/cli/main.js', 'help']],
    ['npm run demo', ['scripts/build-if-needed.mjs', 'examples/demo/main.mjs']],
    ['user-admin-emulator', ['packages/testing/build/command-line.js']],
  ])('is told by %s which one is needed', (_, args) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--no-experimental-require-module', ...args], {
      cwd: PROJECT,
      encoding: 'utf8',
    });
    const said = `The User Administration Service needs ${NEEDED}. This is Node.js ${process.versions.node}.\n`;
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: said });
  });

  it('is refused by npm, which is told the same in every package', () => {
    const folders = [
      '.',
      'client',
      'packages/access-tokens',
      'packages/mcp',
      'packages/pglite-server',
      'packages/http',
      'packages/postgres',
      'packages/scim-protocol',
      'packages/testing',
    ];
    const engines = folders.map(
      (folder) => JSON.parse(readFileSync(join(PROJECT, folder, 'package.json'), 'utf8')) as { engines: object },
    );
    expect(engines.map((it) => it.engines)).toEqual(folders.map(() => ({ node: '^20.19.0 || ^22.13.0 || >=24.11.0' })));
    expect(readFileSync(join(PROJECT, '.npmrc'), 'utf8')).toMatch(/^engine-strict=true$/m);
  });
});
