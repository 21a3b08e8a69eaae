import { nearestName } from '../../../src/config/nearest-name';
import { isVariable, VARIABLES } from '../../../src/config/variables';

/** @throws Error for a name that the service does not read, because the test would then run without what it asks for */
export function refuseUnknownVariables(env: object): void {
  const unknown = Object.keys(env).find((name) => !isVariable(name));
  if (unknown === undefined) return;
  const nearest = nearestName(unknown, VARIABLES)?.name;
  throw new Error(`env: ${unknown} is no variable of this service. The nearest one is ${nearest}.`);
}
