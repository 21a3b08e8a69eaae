import { ADMIN_PAGE } from './plugins/admin-page/admin-page.plugin';
import type { Plugin } from './plugins/plugin';
import { SCIM } from './plugins/scim/scim.plugin';
import { TRANSFER } from './plugins/transfer/transfer.plugin';
import { WEBHOOKS } from './plugins/webhooks/webhooks.plugin';

/** The plugins of the service. One is left out by one line. */
export const PLUGINS: readonly Plugin[] = [ADMIN_PAGE, TRANSFER, WEBHOOKS, SCIM];
