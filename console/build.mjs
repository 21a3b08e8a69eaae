// Bundles the page: a script, a second one with what is opened later, a style sheet, and two files of messages for each language, one for each
// script; and the script that signs people in to Swagger UI.
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { minifySync } from '@swc/core';
import { build, buildSync } from 'esbuild';

const here = import.meta.dirname;

const LATER = 'administrators-pages';
const LICENCES = '/* The licences of what is bundled: licences.txt */';

/** Messages that only the later script shows. */
const LATER_MESSAGES = /^(connection|webhook|delivery|import|start|history\.(filters?|presets?|column))(\.|$)/;

/** What is bundled may be passed on with its licence. */
const licenceOf = (file) => `/*\n${file}\n\n${readFileSync(join(here, '../node_modules', file), 'utf8')}*/\n`;

/** A language is a file of messages. */
export const LANGUAGES = readdirSync(join(here, 'messages')).map((name) => name.replace('.json', ''));

/** The sentences about signing in. */
function problems() {
  const messages = JSON.parse(readFileSync(join(here, 'messages/en.json'), 'utf8'));
  const PREFIX = 'signIn.problem.';
  const chosen = Object.entries(messages).filter(([key]) => key.startsWith(PREFIX));
  return Object.fromEntries(chosen.map(([key, message]) => [key.slice(PREFIX.length), message]));
}

/** SWC makes a script a twentieth smaller than esbuild alone. */
function minifyFurther(script) {
  const options = { module: true, ecma: 2022, mangle: true, compress: { ecma: 2022, passes: 2 } };
  return `${LICENCES}\n${minifySync(script, options).code}`;
}

/**
 * Lets the later script import the page, so that all that they share stays in the page's script, which compresses better than two.
 * The sources do not say so: the page imports the later script, and an import back would be a circle.
 */
const importPageLater = {
  name: 'import-page-later',
  setup({ onLoad }) {
    onLoad({ filter: new RegExp(`/${LATER}\\.ts$`) }, ({ path }) => ({
      contents: `import './main.tsx';\n${readFileSync(path, 'utf8')}`,
      loader: 'ts',
    }));
  },
};

/**
 * esbuild puts the page into a chunk that its entry and the later script import. Here the chunk takes the place of the
 * entry, so the browser begins with one script. The later one has a hash in its name: it fits this page alone.
 */
function finishScripts(folder) {
  const [chunk = '', later = ''] = ['chunk-', LATER].map((start) =>
    readdirSync(folder).find((name) => name.startsWith(start) && name.endsWith('.js')),
  );
  renameSync(join(folder, chunk), join(folder, 'page.js'));
  for (const name of ['page.js', later]) {
    const script = readFileSync(join(folder, name), 'utf8').replace(`./${chunk}`, './page.js');
    writeFileSync(join(folder, name), minifyFurther(script));
  }
}

/** @param {string} folder where the files go */
export async function bundleConsole(folder) {
  const options = {
    outdir: folder,
    bundle: true,
    minify: true,
    platform: 'browser',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
  };
  const oauth = licenceOf('oauth4webapi/LICENSE.md');
  await build({
    ...options,
    entryPoints: { page: join(here, 'src/main.tsx') },
    plugins: [importPageLater],
    format: 'esm',
    splitting: true,
    chunkNames: '[name]-[hash]',
    alias: { '@user-administration/client': join(here, '../client/src/index.ts') },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { LANGUAGES: JSON.stringify(LANGUAGES) },
  });
  finishScripts(folder);
  buildSync({ ...options, entryPoints: { page: join(here, 'src/styles/page.css') } });
  buildSync({
    ...options,
    entryPoints: { 'swagger-sign-in': join(here, 'src/swagger-sign-in.ts') },
    format: 'iife',
    define: { PROBLEMS: JSON.stringify(problems()) },
    banner: { js: oauth },
  });
  writeFileSync(join(folder, 'licences.txt'), licenceOf('preact/LICENSE') + oauth);
  mkdirSync(join(folder, 'messages'), { recursive: true });
  for (const name of LANGUAGES.map((language) => `${language}.json`)) {
    const messages = Object.entries(JSON.parse(readFileSync(join(here, 'messages', name), 'utf8')));
    for (const [file, isLater] of [
      [name, false],
      [`later-${name}`, true],
    ]) {
      const chosen = messages.filter(([key]) => LATER_MESSAGES.test(key) === isLater);
      writeFileSync(join(folder, 'messages', file), JSON.stringify(Object.fromEntries(chosen)));
    }
  }
}
