import type { EntityManager } from 'typeorm';
import type { JournalPageDto } from '../../src/journal/dto/journal-page.dto';
import { Journal } from '../../src/journal/journal';
import { ReplicaReads } from '../../src/database/replica-reads';
import { PrivatePostgres } from '../faults/private-postgres';
import { asJudged } from '../support/as-judged';
import { ask } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { eventually } from '../support/eventually';
import { startTestService, type TestService } from '../support/test-service';

describeOnServer(
  'with a replica that lags behind',
  () => {
    let primary: PrivatePostgres;
    let standby: PrivatePostgres;
    let service: TestService;
    /** Another process of the service, whose replica does not lag. */
    let beside: TestService;

    beforeAll(async () => {
      primary = await PrivatePostgres.running();
      standby = await primary.standby();
      await standby.start();
      const database = { url: primary.url, poolSize: 4 };
      service = await startTestService({ database, environment: { DATABASE_REPLICA_URLS: standby.url } });
      beside = await startTestService({ database, environment: { DATABASE_REPLICA_URLS: primary.url } });
      await service.directory.user('ada', { type: 'administrator' });
      await tell(service.dataSource.manager, 'first');
    });
    beforeEach(async () => {
      await standby.execute('SELECT pg_wal_replay_resume()');
      await Promise.all([service, beside].map(readsItsReplica));
    });
    afterAll(async () => {
      await beside?.close();
      await service?.close();
      standby?.remove();
      primary?.remove();
    });

    async function page({ url, tokenOf }: TestService, query = ''): Promise<{ users: string[]; next: string | null }> {
      const headers = { authorization: `Bearer ${tokenOf('ada')}` };
      const { status, text } = await ask(`${url}/api/journal${query}`, { headers });
      expect(status).toBe(200);
      const { entries, next } = JSON.parse(text) as JournalPageDto;
      return { users: entries.map(({ user }) => user ?? ''), next };
    }

    function tell(manager: EntityManager, user: string): Promise<void> {
      const entry = { action: 'user.type.changed', after: { type: 'member' }, user } as const;
      return service.app.get(Journal).append(manager, asJudged({ actor: { kind: 'system', id: 'test' } }), [entry]);
    }

    function commit(user: string): Promise<void> {
      return service.dataSource.transaction((manager) => tell(manager, user));
    }

    function readsItsReplica(of: TestService): Promise<void> {
      return eventually(async () => {
        const { fallbacks } = of.app.get(ReplicaReads);
        await page(of);
        expect(of.app.get(ReplicaReads).fallbacks).toBe(fallbacks);
      });
    }

    function standbyHas(user: string): Promise<void> {
      return eventually(async () =>
        expect(await standby.execute(`SELECT FROM journal_changes WHERE user_id = '${user}'`)).toHaveLength(1),
      );
    }

    it('no page of the journal misses an entry that committed after a newer one', async () => {
      const slow = service.dataSource.createQueryRunner();
      await slow.startTransaction();
      await tell(slow.manager, 'slow');
      await commit('quick');
      await standbyHas('quick');
      await standby.execute('SELECT pg_wal_replay_pause()');
      await slow.commitTransaction();
      await slow.release();

      const first = await page(beside, '?limit=1');
      expect(first.users).toEqual(['quick']);
      const second = await page(service, `?limit=1&cursor=${first.next}`);
      expect(second.users).toEqual(['slow']);
      expect((await page(service, `?limit=1&cursor=${second.next}`)).users).toEqual(['first']);
    });

    it('the journal is read from the database while the replica lags too far', async () => {
      await standby.execute('SELECT pg_wal_replay_pause()');
      await commit('unheard');
      await eventually(async () => expect((await page(service)).users).toContain('unheard'));
    });

    it('the journal is read from the database after the replica is promoted', async () => {
      await standby.promote();
      await commit('after the promotion');
      await eventually(async () => expect((await page(service)).users).toContain('after the promotion'));
    });
  },
  'initdb',
);
