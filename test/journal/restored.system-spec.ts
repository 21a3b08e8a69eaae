import { dirname, join } from 'node:path';
import type { JournalPageDto } from '../../src/journal/dto/journal-page.dto';
import { verifyJournal } from '../../src/journal/verify-journal';
import { ask, manageStatus } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { finish, ownFolder, pathOf } from '../support/postgres-tools';
import { PrivatePostgres } from '../support/private-postgres';
import { startTestService } from '../support/test-service';

/** Uses up transaction ids: a subtransaction that writes has one of its own. */
const USE_IDS = `
  CREATE TEMPORARY TABLE used (n integer);
  DO $$ BEGIN
    FOR n IN 1 .. 20000 LOOP
      BEGIN INSERT INTO used VALUES (n); EXCEPTION WHEN division_by_zero THEN NULL; END;
    END LOOP;
  END $$`;

describeOnServer('an idle journal', () => {
  let original: PrivatePostgres;
  let other: PrivatePostgres | undefined;

  beforeEach(async () => {
    original = await PrivatePostgres.running();
    await original.execute(USE_IDS);
    const service = await startTestService({ database: { url: original.url, poolSize: 4 } });
    await service.directory.user('ada', { type: 'administrator' });
    await service.directory.user('ben');
    const token = service.tokenOf('ada');
    expect((await manageStatus(service, token, { id: 'ben', token })).status).toBe(200);
    await service.close();
    expect(await original.execute('SELECT FROM journal_inbox')).toEqual([]);
  });
  afterEach(() => {
    original.remove();
    other?.remove();
  });

  /** A process that finds the inbox empty tells the next change. */
  async function expectToldAt({ url }: PrivatePostgres): Promise<void> {
    const service = await startTestService({ database: { url, poolSize: 4 } });
    const token = service.tokenOf('ada');
    const get = async (query: string) => {
      const { text } = await ask(`${service.url}/api/journal${query}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return JSON.parse(text) as JournalPageDto;
    };
    const { next } = await get('?after=now');
    const told = get(`?after=${next}&wait=25`);
    expect((await manageStatus(service, token, { id: 'ben', token })).status).toBe(200);
    expect((await told).entries).toMatchObject([{ user: 'ben', after: { status: 'active' } }]);
    expect(await verifyJournal(service.dataSource)).toMatchObject({ entries: 2, seals: 2, broken: undefined });
    await service.close();
  }

  it('that was restored into a cluster with lower transaction ids is sealed and told', async () => {
    other = await PrivatePostgres.running();
    const file = join(ownFolder('dump-'), 'directory.dump');
    await finish('pg_dump', ['--format=custom', `--file=${file}`, original.url], dirname(file));
    await finish('pg_restore', ['--exit-on-error', `--dbname=${other.url}`, file], dirname(file));
    const id = 'SELECT pg_current_xact_id()::text::integer AS id';
    const [[before], [after]] = [await original.execute(id), await other.execute(id)];
    expect(after?.id).toBeLessThan(before?.id as number);
    await expectToldAt(other);
  });

  it('of a cluster that pg_upgrade has taken over is sealed and told', async () => {
    other = await PrivatePostgres.create();
    await original.stop();
    const bin = dirname(pathOf('pg_upgrade') as string);
    const clusters = [`--old-datadir=${original.data}`, `--new-datadir=${other.data}`];
    await finish(
      'pg_upgrade',
      [...clusters, `--old-bindir=${bin}`, `--new-bindir=${bin}`, '--username=postgres'],
      ownFolder('upgrade-'),
    );
    await other.start();
    await expectToldAt(other);
  });
});
