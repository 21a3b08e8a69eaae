import { nearestName } from '../../../src/config/nearest-name';
import { namesOf } from '../../../src/config/variables';
import { PLUGINS } from '../../../src/installed-plugins';

/** @throws Error for a name that the service does not read, because the test would then run without what it asks for */
export function refuseUnknownVariables(env: object): void {
  const names = namesOf(PLUGINS);
  const unknown = Object.keys(env).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const nearest = nearestName(unknown, names)?.name;
  throw new Error(`env: ${unknown} is no variable of this service. The nearest one is ${nearest}.`);
}
