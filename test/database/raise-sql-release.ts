import { SQL_ROOT } from '../../src/database/migrate';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprintOf, readSqlFunctions } from '@user-administration/postgres';
import { SQL_RELEASE } from '../../src/database/sql-release';

/** Records the SQL functions as they are now, and raises the number of the release if they have changed. */
const FILE = join(__dirname, '../../src/database/sql-release.ts');
const fingerprint = fingerprintOf(readSqlFunctions(SQL_ROOT));
if (fingerprint !== SQL_RELEASE.fingerprint) {
  const recorded = readFileSync(FILE, 'utf8')
    .replace(/number: \d+/, `number: ${SQL_RELEASE.number + 1}`)
    .replace(/fingerprint: '\w*'/, `fingerprint: '${fingerprint}'`);
  writeFileSync(FILE, recorded);
}
