import type { Plugin } from '../plugin';
import { FILE_ACTIONS } from './actions';
import { FILE_ERRORS } from './errors';
import type * as FirstRun from './first-run';
import { addFileCommands } from './files.commands';
import type * as Module from './imports.module';
import { SQL_RELEASE } from './sql-release';

/** Imports and exports files. */
export const TRANSFER: Plugin = {
  name: 'transfer',
  folder: __dirname,
  sqlRelease: SQL_RELEASE.number,
  actions: FILE_ACTIONS,
  errors: FILE_ERRORS,
  commands: addFileCommands,
  /* eslint-disable @typescript-eslint/no-require-imports -- Loaded with an app alone. */
  app: () => ({
    module: (require('./imports.module') as typeof Module).ImportsModule,
    describe: () => ({ tags: [{ name: 'Imports', description: 'Create and update many records from a file.' }] }),
    firstRun: (require('./first-run') as typeof FirstRun).prepareEmbeddedDirectory,
  }),
};
