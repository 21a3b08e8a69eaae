import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser, plugin as typescript } from 'typescript-eslint';
import { ESLint, type Linter } from 'eslint';
import { importCycles, undeclaredPackages } from './import.rules';
import { folderOf, parseAll, PROJECT, readSources, textsIn } from './source-tree';

const sources = readSources();
const dependenciesOf = (folder: string) => {
  const manifest = readFileSync(join(PROJECT, folder, 'package.json'), 'utf8');
  const { dependencies, peerDependencies, devDependencies } = JSON.parse(manifest) as Record<string, object>;
  const bundled = folder === 'packages/mcp' ? devDependencies : {};
  return Object.keys({ ...dependencies, ...peerDependencies, ...bundled });
};

describe('the imports of the service', () => {
  it('have no cycles', () => {
    expect(importCycles(sources)).toEqual([]);
  });

  it.each(['bench', 'faults', 'console/src'])('have no cycles in %s', (folder) => {
    expect(importCycles(parseAll(textsIn(folder)))).toEqual([]);
  });

  it('are packages that production installs', () => {
    const of = (folder: string) => sources.filter(({ path }) => folderOf(path) === folder);
    const [tokens, http, server, postgres, scim] = [
      of('access-tokens'),
      of('http'),
      of('pglite-server'),
      of('postgres'),
      of('scim-protocol'),
    ];
    const kit = of('testing');
    const agents = of('mcp');
    const service = sources.filter(
      (file) => ![...tokens, ...http, ...server, ...postgres, ...scim, ...kit, ...agents].includes(file),
    );
    expect(undeclaredPackages(service, dependenciesOf('.'))).toEqual([]);
    expect(undeclaredPackages(tokens, dependenciesOf('packages/access-tokens'))).toEqual([]);
    expect(undeclaredPackages(http, dependenciesOf('packages/http'))).toEqual([]);
    expect(undeclaredPackages(server, dependenciesOf('packages/pglite-server'))).toEqual([]);
    expect(undeclaredPackages(postgres, dependenciesOf('packages/postgres'))).toEqual([]);
    expect(undeclaredPackages(scim, dependenciesOf('packages/scim-protocol'))).toEqual([]);
    // It is one file with all that it is made of.
    expect(undeclaredPackages(agents, dependenciesOf('packages/mcp'))).toEqual([]);
    // What the kit has of the service is bundled.
    expect(undeclaredPackages(kit, [...dependenciesOf('.'), ...dependenciesOf('packages/testing')])).toEqual([]);
  });
});

/** ESLint judges the order of folders by itself. These are the kinds of what it refuses. */
describe('the order of folders', () => {
  let eslint: ESLint;
  beforeAll(async () => {
    const { default: rules } = (await import(join(PROJECT, 'eslint.architecture.mjs'))) as { default: Linter.Config[] };
    const baseConfig = [
      { files: ['**/*.ts'], languageOptions: { parser }, plugins: { '@typescript-eslint': typescript } },
      ...rules,
    ];
    eslint = new ESLint({ cwd: PROJECT, overrideConfigFile: true, baseConfig });
  });

  it.each([
    ['up', 'src/contract/limits.ts', "import { type Config } from '../config/config';"],
    ['up, from a folder below', 'src/users/dto/assign.dto.ts', "import '../../plugins/door';"],
    ['sideways', 'src/workspaces/place.ts', "import '../permissions/a';"],
    ['sideways, for its types', 'src/server/shape.pipe.ts', "import type { Caller } from '../auth/caller';"],
    ['sideways, and passes it on', 'src/server/b.ts', "export { a } from '../auth/caller'; export const b = 1;"],
    ['to the files that assemble the service', 'src/users/users.module.ts', "import '../app.module';"],
    ['to a program', 'src/cli/commands.ts', "import '../main';"],
    ['to a plugin', 'src/users/undo.ts', "import '../plugins/scim/scim.guard';"],
    ['to a plugin, from the door', 'src/plugins/door.ts', "import './scim/scim.guard';"],
    ['to a plugin, from beside the folders', 'src/app.ts', "import './plugins/scim/scim.guard';"],
    ['from one plugin to another', 'src/plugins/scim/scim.guard.ts', "import '../webhooks/destinations';"],
    ['past the door', 'src/plugins/webhooks/dto/a.ts', "import '../../../users/change-user.service';"],
    ['to a package by its path', 'src/cli/kit.ts', "import '../../packages/testing/src/emulator';"],
    ['from a package to the service', 'packages/postgres/src/a.ts', "import '../../../src/config/config';"],
    ['from the kit to the command line', 'packages/testing/src/a.ts', "import '../../../src/cli/commands';"],
    ['later', 'src/directory/locks.ts', "export const a = import('../auth/caller');"],
    ['from a folder without a floor', 'src/helpers/all.ts', 'export const a = 1;'],
    ['from the contract to a package', 'src/contract/limits.ts', "import 'typeorm';"],
    ['to what hands over whatever was sent', 'src/users/a.controller.ts', "import { Body } from '@nestjs/common';"],
  ])('refuses an import %s', async (_, filePath, text) => {
    const [result] = await eslint.lintText(text, { filePath: join(PROJECT, filePath) });
    expect(result?.messages.map(({ ruleId }) => ruleId)).toEqual([
      expect.stringMatching(/^(@typescript-eslint\/)?no-restricted-(imports|syntax)$/),
    ]);
  });

  it.each([
    ['src/users/dto/assign.dto.ts', "import '../../contract/limits'; import './a'; import '../b';"],
    ['src/cli/commands.ts', "import '../app'; import '../health/readiness';"],
    ['src/installed-plugins.ts', "import './plugins/scim/scim.plugin';"],
    ['src/plugins/webhooks/dto/a.ts', "import '../../door'; import '../destinations'; import '../../../server/b';"],
    ['packages/testing/src/emulator.ts', "import '../../../src/app';"],
  ])('permits those of %s', async (filePath, text) => {
    const [result] = await eslint.lintText(text, { filePath: join(PROJECT, filePath) });
    expect(result?.messages).toEqual([]);
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
