import { nearestName } from '../../../src/config/nearest-name';
import { namesOf } from '../../../src/config/variables';
import { ADMIN_PAGE_SETTINGS } from '../../../src/plugins/admin-page/settings';
import { WEBHOOK_SETTINGS } from '../../../src/plugins/webhooks/settings';

/** Without the plugins themselves, which would bring the whole service into a process that only starts it. */
const NAMES = namesOf([ADMIN_PAGE_SETTINGS, WEBHOOK_SETTINGS]);

/** @throws Error for a name that the service does not read, because the test would then run without what it asks for */
export function refuseUnknownVariables(env: object): void {
  const unknown = Object.keys(env).find((name) => !NAMES.includes(name));
  if (unknown === undefined) return;
  const nearest = nearestName(unknown, NAMES)?.name;
  throw new Error(`env: ${unknown} is no variable of this service. The nearest one is ${nearest}.`);
}
