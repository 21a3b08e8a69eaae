import type { Plugin } from '../door';
import type * as Demo from './demo-webhook';
import { CreateWebhooks1790000003000 } from './migrations/1790000003000-create-webhooks';
import type * as Owed from './owed-deliveries';
import { SQL_RELEASE } from './sql-release';
import type * as Worker from './delivery-worker';
import type * as Module from './webhooks.module';

/** Sends changes to other systems. */
export const WEBHOOKS: Plugin = {
  name: 'webhooks',
  folder: __dirname,
  migrations: [CreateWebhooks1790000003000],
  sqlRelease: SQL_RELEASE.number,
  actions: ['webhook.created', 'webhook.updated', 'webhook.deleted'],
  /* eslint-disable @typescript-eslint/no-require-imports -- Loaded when it is needed. */
  app: () => {
    const { DeliveryWorker } = require('./delivery-worker') as typeof Worker;
    return {
      module: (require('./webhooks.module') as typeof Module).WebhooksModule,
      demo: (require('./demo-webhook') as typeof Demo).loadDemoWebhook,
      stop: (app) => app.get(DeliveryWorker, { strict: false }).stop(),
    };
  },
  months: () => (require('./owed-deliveries') as typeof Owed).owedMonths,
};
