import { join } from 'node:path';
import { SQL_ROOT } from '../../src/database/migrate';
import { SQL_RELEASE as SERVICE } from '../../src/database/sql-release';
import { SQL_RELEASE as SCIM } from '../../src/plugins/scim/sql-release';
import { SQL_RELEASE as TRANSFER } from '../../src/plugins/transfer/sql-release';
import { SQL_RELEASE as WEBHOOKS } from '../../src/plugins/webhooks/sql-release';

const ofPlugin = (name: string, release: { number: number; fingerprint: string }) => ({
  name,
  release,
  root: join(SQL_ROOT, 'plugins', name),
  apart: undefined,
  file: 'sql-release.ts',
});

/** Where the SQL functions of the service and of each plugin are, and the file that has their number. */
export const SQL_RELEASES = [
  { name: 'service', release: SERVICE, root: SQL_ROOT, apart: 'plugins', file: 'database/sql-release.ts' },
  ofPlugin('scim', SCIM),
  ofPlugin('transfer', TRANSFER),
  ofPlugin('webhooks', WEBHOOKS),
];
