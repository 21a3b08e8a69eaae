// Bundles the page: a script, a style sheet, and a file of messages for each language; and the script that signs people in to Swagger UI.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { minifySync } from '@swc/core';
import { buildSync } from 'esbuild';

const here = import.meta.dirname;

const LICENCES = '/* The licences of what is bundled: licences.txt */';

/** What is bundled may be passed on with its licence. */
const licenceOf = (file) => `/*\n${file}\n\n${readFileSync(join(here, '../node_modules', file), 'utf8')}*/\n`;

/** The sentences about signing in. */
function problems() {
  const messages = JSON.parse(readFileSync(join(here, 'messages/en.json'), 'utf8'));
  const PREFIX = 'signIn.problem.';
  const chosen = Object.entries(messages).filter(([key]) => key.startsWith(PREFIX));
  return Object.fromEntries(chosen.map(([key, message]) => [key.slice(PREFIX.length), message]));
}

/** SWC makes the script a twentieth smaller than esbuild alone. */
function minifyFurther(file) {
  const options = { module: true, ecma: 2020, mangle: true, compress: { ecma: 2020, passes: 2 } };
  writeFileSync(file, `${LICENCES}\n${minifySync(readFileSync(file, 'utf8'), options).code}`);
}

/** @param {string} folder where the files go */
export function bundleConsole(folder) {
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
  buildSync({
    ...options,
    entryPoints: { page: join(here, 'src/main.tsx') },
    format: 'esm',
    alias: { '@user-administration/client': join(here, '../client/src/index.ts') },
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
  minifyFurther(join(folder, 'page.js'));
  buildSync({
    ...options,
    entryPoints: { 'swagger-sign-in': join(here, 'src/swagger-sign-in.ts') },
    format: 'iife',
    define: { PROBLEMS: JSON.stringify(problems()) },
    banner: { js: oauth },
  });
  writeFileSync(join(folder, 'licences.txt'), licenceOf('preact/LICENSE') + oauth);
  mkdirSync(join(folder, 'messages'), { recursive: true });
  for (const name of readdirSync(join(here, 'messages'))) {
    const messages = JSON.parse(readFileSync(join(here, 'messages', name), 'utf8'));
    writeFileSync(join(folder, 'messages', name), JSON.stringify(messages));
  }
}
