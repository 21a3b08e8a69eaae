import type { Plugin } from '../door';
import type * as FirstRun from './first-run';
import { addFileCommands } from './files.commands';
import type * as Module from './imports.module';
import { SQL_RELEASE } from './sql-release';

/** Imports and exports files. */
export const TRANSFER: Plugin = {
  name: 'transfer',
  folder: __dirname,
  sqlRelease: SQL_RELEASE.number,
  actions: ['directory.imported'],
  commands: addFileCommands,
  /* eslint-disable @typescript-eslint/no-require-imports -- Loaded with an app alone. */
  app: () => ({
    module: (require('./imports.module') as typeof Module).ImportsModule,
    firstRun: (require('./first-run') as typeof FirstRun).prepareEmbeddedDirectory,
  }),
};
