import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';

const SOURCES = join(__dirname, '../../console/src');

/**
 * A module of the administrators' page, bundled as the page is, for tests without a browser.
 *
 * @param absent what stands in the place of modules that need one, by their file names
 */
export function pageModule<Module>(path: string, absent: Readonly<Record<string, object>> = {}): Module {
  const { outputFiles } = buildSync({
    entryPoints: [join(SOURCES, path)],
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    external: Object.keys(absent).map((name) => `*/${name}`),
    alias: { '@user-administration/client': join(SOURCES, '../../client/src/index.ts') },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'error',
    define: { 'import.meta.url': JSON.stringify('https://page.example/'), LANGUAGES: '["en"]' },
  });
  const module = { exports: {} as Module };
  const load = createRequire(__filename);
  new Function('module', 'exports', 'require', outputFiles[0]?.text ?? '')(
    module,
    module.exports,
    (name: string): unknown => absent[basename(name)] ?? load(name),
  );
  return module.exports;
}
