import type { Plugin } from '../door';
import type * as Page from './admin-page';

/** The administrators' page, at `/admin`. */
export const ADMIN_PAGE: Plugin = {
  name: 'admin-page',
  folder: __dirname,
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- Loaded with an app alone.
  app: () => ({ publicRoutes: (require('./admin-page') as typeof Page).serveAdminPage }),
};
