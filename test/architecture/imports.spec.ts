import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importCycles, misdirectedImports, STANDS_ON, undeclaredPackages } from './import.rules';
import { folderOf, parseAll, PROJECT, readSources, textsIn } from './source-tree';

const sources = readSources();
const dependenciesOf = (folder: string) => {
  const manifest = readFileSync(join(PROJECT, folder, 'package.json'), 'utf8');
  const { dependencies, peerDependencies, devDependencies } = JSON.parse(manifest) as Record<string, object>;
  const bundled = folder === 'packages/mcp' ? devDependencies : {};
  return Object.keys({ ...dependencies, ...peerDependencies, ...bundled });
};

describe('the imports of the service', () => {
  it('go only downwards', () => {
    expect(misdirectedImports(sources)).toEqual([]);
  });

  it('have a place in the order of folders for every folder', () => {
    expect(sources.map(({ path }) => folderOf(path)).filter((folder) => !(folder in STANDS_ON))).toEqual([]);
  });

  it('have no cycles', () => {
    expect(importCycles(sources)).toEqual([]);
  });

  it.each(['bench', 'faults', 'console/src'])('have no cycles in %s', (folder) => {
    expect(importCycles(parseAll(textsIn(folder)))).toEqual([]);
  });

  it('are packages that production installs', () => {
    const of = (folder: string) => sources.filter(({ path }) => folderOf(path) === folder);
    const [tokens, server, postgres, scim] = [
      of('access-tokens'),
      of('pglite-server'),
      of('postgres'),
      of('scim-protocol'),
    ];
    const kit = of('testing');
    const agents = of('mcp');
    const service = sources.filter(
      (file) => ![...tokens, ...server, ...postgres, ...scim, ...kit, ...agents].includes(file),
    );
    expect(undeclaredPackages(service, dependenciesOf('.'))).toEqual([]);
    expect(undeclaredPackages(tokens, dependenciesOf('packages/access-tokens'))).toEqual([]);
    expect(undeclaredPackages(server, dependenciesOf('packages/pglite-server'))).toEqual([]);
    expect(undeclaredPackages(postgres, dependenciesOf('packages/postgres'))).toEqual([]);
    expect(undeclaredPackages(scim, dependenciesOf('packages/scim-protocol'))).toEqual([]);
    // It is one file with all that it is made of.
    expect(undeclaredPackages(agents, dependenciesOf('packages/mcp'))).toEqual([]);
    // What the kit has of the service is bundled.
    expect(undeclaredPackages(kit, [...dependenciesOf('.'), ...dependenciesOf('packages/testing')])).toEqual([]);
  });
});

describe('the order of folders', () => {
  it('has no cycle', () => {
    const folders = Object.entries(STANDS_ON).map(([folder, below]): [string, string] => [
      `${folder === '.' ? 'app' : folder}.ts`,
      below.map((name) => `import './${name === '.' ? 'app' : name}';`).join('\n'),
    ]);
    expect(importCycles(parseAll(Object.fromEntries(folders)))).toEqual([]);
  });

  it('is that of the design', () => {
    const order = ['contract', 'config', 'database', 'directory', 'auth', 'users', '.', 'cli'];
    order.forEach((folder, index) =>
      expect([folder, STANDS_ON[folder]]).toEqual([folder, expect.arrayContaining(order.slice(0, index))]),
    );
  });
});

describe('the rules of imports', () => {
  it('see every way to name a module, and whether it is only for its types', () => {
    const [file] = parseAll({
      'users/a.ts': `
        import a from './b'; import type { T } from '../auth/c'; import { type U, type V } from 'd'; import { type W, x } from 'e';
        import 'f'; export { g } from 'g'; export type { H } from 'h'; import i = require('i'); const j = require('j');
        const k = await import('../contract/k'); type L = import('l').L; import m, { type M } from 'm';
        const n = "import '../app'"; // import '../app';
      `,
    });
    expect(file?.imports.map(({ specifier, typeOnly }) => `${typeOnly ? 'type ' : ''}${specifier}`).sort()).toEqual(
      ['./b', 'type ../auth/c', 'type d', 'e', 'f', 'g', 'type h', 'i', 'j', '../contract/k', 'type l', 'm'].sort(),
    );
    expect(file?.imports.flatMap(({ target }) => target ?? [])).toEqual(['users/b.ts', 'auth/c.ts', 'contract/k.ts']);
  });

  it('find an import that goes up, sideways, to a program or nowhere', () => {
    const made = parseAll({
      'contract/limits.ts': `import type { Config } from '../config/config';`,
      'config/config.ts': `import '../contract/limits';`,
      'users/users.module.ts': `import '../app.module'; import './dto/assign.dto';`,
      'users/dto/assign.dto.ts': `import '../../server/shape.pipe'; import '../gone';`,
      'server/shape.pipe.ts': `import '../auth/caller';`,
      'auth/caller.ts': '',
      'app.module.ts': `import './users/users.module';`,
      'main.ts': `import './app.module';`,
      'cli/main.ts': `import '../main'; import '../../packages/testing/src/emulator';`,
      'helpers/all.ts': `import '../contract/limits';`,
    });
    expect(misdirectedImports(made)).toEqual([
      'contract/limits.ts imports config/config.ts',
      'users/users.module.ts imports app.module.ts',
      'users/dto/assign.dto.ts imports users/gone.ts, which is not there',
      'server/shape.pipe.ts imports auth/caller.ts',
      'cli/main.ts imports the program main.ts',
      'cli/main.ts imports ../packages/testing/src/emulator.ts',
      'helpers/all.ts imports contract/limits.ts',
    ]);
  });

  it('find cycles of any length, also of types', () => {
    const made = parseAll({
      'a.ts': `import './b';`,
      'b.ts': `import type { C } from './c';`,
      'c.ts': `import './a';`,
      'd.ts': `import './d'; import './a';`,
      'e.ts': `import './a'; import './b';`,
    });
    expect(importCycles(made)).toEqual(['a.ts -> b.ts -> c.ts -> a.ts', 'd.ts -> d.ts']);
  });

  it('find packages where none are allowed', () => {
    const made = parseAll({
      'client/a.ts': `import type { D } from 'development/types'; import { f } from '@scope/name/deep'; import 'fs';`,
    });
    expect(undeclaredPackages(made, ['uuid', 'typeorm'])).toEqual(['client/a.ts imports @scope/name']);
  });
});
