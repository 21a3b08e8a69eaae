import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { misnamedFiles, catchAlls } from '../../test/architecture/file.rules';
import { importCycles } from '../../test/architecture/import.rules';
import { parseAll } from '../../test/architecture/source-tree';

const CLIENT = join(__dirname, '..');
const SOURCES = join(CLIENT, 'src');
const TOOLS = join(CLIENT, '../node_modules/.bin');
const GENERATED = 'generated/types.gen.ts';
const MAX_MINIFIED_BYTES = 30_000;

const paths = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
const sources = parseAll(Object.fromEntries(paths.map((path) => [path, readFileSync(join(SOURCES, path), 'utf8')])));

describe('the sources of the client', () => {
  const written = sources.filter(({ path }) => path !== GENERATED);

  it('import only themselves, Node, and in nest/ also Nest', () => {
    const foreign = sources.flatMap(({ path, imports }) =>
      imports
        .filter(({ target, specifier }) =>
          target === undefined
            ? !/^node:/.test(specifier) && !(path.startsWith('nest/') && /^@nestjs\/(common|core)$/.test(specifier))
            : !sources.some((source) => source.path === target),
        )
        .map(({ specifier }) => `${path} imports ${specifier}`),
    );
    expect(foreign).toEqual([]);
  });

  it('keep the architecture rules for files', () => {
    expect(misnamedFiles(written)).toEqual([]);
    expect(catchAlls(written)).toEqual([]);
    expect(importCycles(written)).toEqual([]);
  });

  it('have no dependency at run time', () => {
    const manifest = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8')) as Record<string, object>;
    expect(manifest.dependencies).toBeUndefined();
    expect(Object.keys(manifest.peerDependencies ?? {})).toEqual(Object.keys(manifest.peerDependenciesMeta ?? {}));
  });

  it('are small when they are bundled', () => {
    const { outputFiles } = buildSync({
      entryPoints: [join(SOURCES, 'index.ts')],
      bundle: true,
      minify: true,
      write: false,
      platform: 'node',
      target: 'node20',
    });
    const bytes = outputFiles[0]?.contents.byteLength ?? Infinity;
    expect(bytes).toBeLessThan(MAX_MINIFIED_BYTES);
  });

  it('have types generated from the current openapi.json', () => {
    const folder = mkdtempSync(join(tmpdir(), 'client-types-'));
    try {
      execFileSync(join(TOOLS, 'openapi-ts'), ['--output', folder], { cwd: CLIENT, stdio: 'pipe' });
      const made = readFileSync(join(folder, 'types.gen.ts'));
      const style = ['--stdin-filepath', join(SOURCES, GENERATED)];
      const formatted = execFileSync(join(TOOLS, 'prettier'), style, { cwd: CLIENT, input: made, encoding: 'utf8' });
      expect(readFileSync(join(SOURCES, GENERATED), 'utf8')).toBe(formatted);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
