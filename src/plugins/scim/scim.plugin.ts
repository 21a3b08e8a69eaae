import type { Plugin } from '../plugin';
import { CONNECTION_ACTIONS } from './actions';
import type * as Demo from './demo-connection';
import { CONNECTION_ERRORS } from './errors';
import { CreateScim1790000006000 } from './migrations/1790000006000-create-scim';
import type * as Errors from './scim-error';
import type * as Module from './scim.module';
import { SQL_RELEASE } from './sql-release';

/** Lets identity providers keep users and groups by SCIM 2.0. */
export const SCIM: Plugin = {
  name: 'scim',
  folder: __dirname,
  migrations: [CreateScim1790000006000],
  sqlRelease: SQL_RELEASE.number,
  actions: CONNECTION_ACTIONS,
  errors: CONNECTION_ERRORS,
  spares: [
    {
      reason: 'connection',
      told: 'known to a SCIM connection',
      condition: 'EXISTS (SELECT FROM scim_users AS p WHERE p.user_key = users.key)',
    },
  ],
  /* eslint-disable @typescript-eslint/no-require-imports -- Loaded with an app alone. */
  app: () => ({
    module: (require('./scim.module') as typeof Module).ScimModule,
    joinsSlashesBelow: '/scim/v2',
    describe: () => ({
      tags: [
        {
          name: 'SCIM',
          description: 'Connect identity providers, which then keep users and groups by SCIM 2.0 at `/scim/v2`.',
        },
      ],
    }),
    errorForms: [(require('./scim-error') as typeof Errors).SCIM_ERRORS],
    demo: (require('./demo-connection') as typeof Demo).loadDemoConnection,
  }),
};
