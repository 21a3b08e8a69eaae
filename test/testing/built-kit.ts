import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as kit from '../../src/testing/start-user-administration';

export type { UserAdministration } from '../../src/testing/start-user-administration';

/** What other teams install. A process of the sources takes twice the time to start, because it compiles them. */
export function builtKit(): typeof kit {
  return createRequire(__filename)(join(__dirname, '../../dist/testing/start-user-administration.js')) as typeof kit;
}
