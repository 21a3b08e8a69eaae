import type { SettingsReader } from '../plugin';

export const WEBHOOK_SETTINGS = {
  name: 'webhooks',
  variables: ['WEBHOOK_ALLOW_PRIVATE'],
  /** Whether webhooks may go to private addresses and use plain http. */
  settings: (env: SettingsReader) => ({ allowPrivate: env.flag('WEBHOOK_ALLOW_PRIVATE', false) }),
};
