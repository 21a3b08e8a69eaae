import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as kit from '../src/start-user-administration';

export type { UserAdministration, UserAdministrationOptions } from '../src/start-user-administration';

export const BUILT_KIT = join(__dirname, '../build/start-user-administration.js');

/** What other teams install. A process of the sources takes twice the time to start, because it compiles them. */
export function builtKit(): typeof kit {
  return createRequire(__filename)(BUILT_KIT) as typeof kit;
}
