import type { Plugin } from '../plugin';
import { WEBHOOK_ACTIONS } from './actions';
import type * as Demo from './demo-webhook';
import { WEBHOOK_ERRORS } from './errors';
import { CreateWebhooks1790000003000 } from './migrations/1790000003000-create-webhooks';
import type * as Owed from './owed-deliveries';
import { WEBHOOK_SETTINGS } from './settings';
import { SQL_RELEASE } from './sql-release';
import type * as Worker from './delivery-worker';
import type * as Module from './webhooks.module';
import type * as Description from './webhooks.openapi';

/** Sends changes to other systems. */
export const WEBHOOKS: Plugin = {
  ...WEBHOOK_SETTINGS,
  folder: __dirname,
  migrations: [CreateWebhooks1790000003000],
  sqlRelease: SQL_RELEASE.number,
  actions: WEBHOOK_ACTIONS,
  errors: WEBHOOK_ERRORS,
  /* eslint-disable @typescript-eslint/no-require-imports -- Loaded when it is needed. */
  app: () => {
    const { DeliveryWorker } = require('./delivery-worker') as typeof Worker;
    return {
      module: (require('./webhooks.module') as typeof Module).WebhooksModule,
      describe: (require('./webhooks.openapi') as typeof Description).describeWebhooks,
      demo: (require('./demo-webhook') as typeof Demo).loadDemoWebhook,
      stop: (app) => app.get(DeliveryWorker, { strict: false }).stop(),
    };
  },
  months: () => (require('./owed-deliveries') as typeof Owed).owedMonths,
};
