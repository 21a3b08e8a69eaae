import { randomBytes } from 'node:crypto';
import type { OpenedDatabase } from '@user-administration/postgres';
import { withClient } from '../../packages/testing/src/with-client';
import { testDatabaseUrl } from '../setup/test-environment';

/** What servers answer that have no such databases: before PostgreSQL 15, and when built without ICU. */
const WITHOUT_ICU = ['42601', '0A000'];

/** A new, empty database on the server whose text follows the rules of ICU for English; undefined, which is said, if the server has none. */
export async function openIcuDatabase(): Promise<OpenedDatabase | undefined> {
  const server = testDatabaseUrl() ?? '';
  const execute = (statement: string) => withClient(server, (client) => client.query(statement));
  const name = `test_icu_${randomBytes(8).toString('hex')}`;
  const rules = `LOCALE 'C' LOCALE_PROVIDER icu ICU_LOCALE 'en'`;
  try {
    await execute(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' ${rules}`);
  } catch (error) {
    if (!WITHOUT_ICU.includes((error as { code: string }).code)) throw error;
    process.stderr.write('Skipped a test with the rules of ICU: the server has none.\n');
    return undefined;
  }
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const close = async () => void (await execute(`DROP DATABASE ${name} WITH (FORCE)`));
  return { url, poolSize: 2, embedded: false, close };
}
