import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprintOf, readSqlFunctions } from '@user-administration/postgres';
import { SQL_RELEASES } from './sql-releases';

/** Records the SQL functions as they are now, and raises the number of each release whose functions have changed. */
for (const { release, root, apart, file } of SQL_RELEASES) {
  const fingerprint = fingerprintOf(readSqlFunctions(root, apart));
  if (fingerprint === release.fingerprint) continue;
  const path = join(root, file);
  const recorded = readFileSync(path, 'utf8')
    .replace(/number: \d+/, `number: ${release.number + 1}`)
    .replace(/fingerprint: '\w*'/, `fingerprint: '${fingerprint}'`);
  writeFileSync(path, recorded);
}
