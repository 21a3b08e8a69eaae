import { randomBytes } from 'node:crypto';
import { withClient } from '../../src/testing/with-client';
import { testDatabaseUrl } from '../setup/test-environment';
import { ask } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { startTestService } from '../support/test-service';

/** What servers answer that have no such databases: before PostgreSQL 15, and when built without ICU. */
const WITHOUT_ICU = ['42601', '0A000'];

const onServer = (statement: string) => withClient(testDatabaseUrl() ?? '', (client) => client.query(statement));

/** @returns the URL of a new database whose text follows the rules of ICU; undefined if the server has none */
async function createWithIcu(name: string): Promise<string | undefined> {
  const rules = `LOCALE 'C' LOCALE_PROVIDER icu ICU_LOCALE 'en'`;
  try {
    await onServer(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' ${rules}`);
  } catch (error) {
    if (!WITHOUT_ICU.includes((error as { code: string }).code)) throw error;
    process.stderr.write('Skipped a search with the rules of ICU: the server has none.\n');
    return undefined;
  }
  const url = new URL(testDatabaseUrl() ?? '');
  url.pathname = `/${name}`;
  return url.href;
}

describeOnServer('a database whose text follows the rules of ICU', () => {
  // ICU converts İ to two characters, i and a dot above. The rules of the operating system convert it to i.
  it('a search finds text whatever the case', async () => {
    const name = `test_icu_${randomBytes(8).toString('hex')}`;
    const url = await createWithIcu(name);
    try {
      if (url === undefined) return;
      const service = await startTestService({ database: { url, poolSize: 2 } });
      try {
        for (const workspace of ['İzmir ẞ', 'Γιώργος']) await service.directory.workspace(workspace);
        const find = async (search: string) => {
          const headers = { authorization: `Bearer ${service.serviceToken()}` };
          const { text } = await ask(`${service.url}/api/workspaces?search=${encodeURIComponent(search)}`, { headers });
          return (JSON.parse(text) as { workspaces: { name: string }[] }).workspaces.map(({ name }) => name);
        };
        for (const search of ['IZMIR', 'izmir ß', 'İZMİR', 'İzmir']) expect(await find(search)).toEqual(['İzmir ẞ']);
        expect(await find('ΓΙΏΡΓΟΣ')).toEqual(['Γιώργος']);
      } finally {
        await service.close();
      }
    } finally {
      if (url !== undefined) await onServer(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  });
});
