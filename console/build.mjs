// Bundles the page: a script, a style sheet, and a file of messages for each language.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

const here = import.meta.dirname;

/** @param {string} folder where the files go */
export function bundleConsole(folder) {
  buildSync({
    entryPoints: { page: join(here, 'src/main.tsx') },
    outdir: folder,
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    alias: { '@user-administration/client': join(here, '../client/src/index.ts') },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    banner: {
      js: '/* With preact (MIT License, Copyright (c) 2015-present Jason Miller), https://github.com/preactjs/preact */',
    },
    logLevel: 'warning',
  });
  cpSync(join(here, 'messages'), join(folder, 'messages'), { recursive: true });
}
