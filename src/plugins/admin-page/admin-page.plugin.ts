import type { Plugin } from '../plugin';
import type * as Page from './admin-page';
import { ADMIN_PAGE_SETTINGS, isAdminPageServed } from './settings';

/** The administrators' page, at `/admin`. */
export const ADMIN_PAGE: Plugin = {
  ...ADMIN_PAGE_SETTINGS,
  folder: __dirname,
  app: () => ({
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- Loaded with an app alone.
    publicRoutes: (require('./admin-page') as typeof Page).serveAdminPage,
    page: (config) =>
      isAdminPageServed(config) ? { name: 'administration', label: 'Administration', path: '/admin' } : undefined,
  }),
};
