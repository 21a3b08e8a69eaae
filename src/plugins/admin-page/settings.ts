import { settingsOf, type SettingsReader } from '../plugin';

export const ADMIN_PAGE_SETTINGS = {
  name: 'admin-page',
  variables: ['ADMIN_PAGE'],
  settings: (env: SettingsReader) => ({ isServed: env.flag('ADMIN_PAGE', true) }),
};

export const isAdminPageServed = (config: Parameters<typeof settingsOf>[0]): boolean =>
  settingsOf(config, ADMIN_PAGE_SETTINGS).isServed;
