import type { JournalPageDto } from '../../src/journal/dto/journal-page.dto';
import { WaitingFollowers } from '../../src/journal/waiting-followers';
import { startTestService, type TestService } from '../support/test-service';
import { type Answer, ask, manageStatus } from '../support/ask';
import { eventually } from '../support/eventually';
import { SEALING } from '../support/sealed';

export const FORBIDDEN = '{"status":403,"message":"Only an administrator can do this."}';

export const usersOf = ({ entries }: JournalPageDto) => entries.map(({ user }) => user);

/** A service with a few users, and a journal to follow. */
export class FollowTrial {
  private constructor(readonly service: TestService) {}

  /** @param database by default a new one, which is closed with the service */
  static async start(database?: { url: string; poolSize: number }): Promise<FollowTrial> {
    const service = await startTestService({ database, environment: { SHUTDOWN_DRAIN_MS: '0' } });
    await service.directory.user('ada', { type: 'administrator' });
    await service.directory.user('zoe', { type: 'administrator' });
    await service.directory.user('ben', { type: 'manager' });
    await service.directory.user('cyd');
    await service.directory.user('max', { type: 'manager' });
    return new FollowTrial(service);
  }

  close(): Promise<void> {
    return this.service.close();
  }

  read(query: string, init: RequestInit & { sub?: string } = {}): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.service.tokenOf(init.sub ?? 'ada')}` };
    return ask(`${this.service.url}/api/journal${query}`, { ...init, headers });
  }

  async page(query: string): Promise<JournalPageDto> {
    const { status, text } = await this.read(query);
    expect([status, text]).toEqual([200, expect.stringMatching(/^\{"entries":\[.*\],"next":"[\w-]+"\}$/)]);
    return JSON.parse(text) as JournalPageDto;
  }

  /** Ada gives a user the other status, and that is an entry. */
  async toggle(id: string): Promise<void> {
    const token = this.service.tokenOf('ada');
    expect((await manageStatus(this.service, token, { id, token })).status).toBe(200);
  }

  /** So many changes of the status of a user. */
  async toggles(actor: string, user: string, count: number): Promise<void> {
    await this.service.dataSource.query(
      `SELECT journal_append_changes('system', $3, NULL, NULL, NULL, NULL, array_agg(
         ROW('user.status.changed', ARRAY[$1], '{}', NULL, NULL)::journal_new_change))
       FROM generate_series(1, $2::integer)`,
      [user, count, actor],
    );
  }

  /** As a failover to a server that has not received the newest entry, where Cyd was changed so often since. */
  async failOver(changes: number): Promise<void> {
    await this.service.dataSource.transaction(async (manager) => {
      await manager.query('SET LOCAL session_replication_role = replica');
      await manager.query(SEALING);
      for (const table of ['journal_changes', 'journal_seals'])
        await manager.query(`DELETE FROM ${table} WHERE position = (SELECT max(position) FROM ${table})`);
      for (let change = 0; change < changes; change++) {
        await manager.query(
          `SELECT journal_append_changes('system', 'other', NULL, NULL, NULL, NULL, '{"(user.updated,{cyd},,,)"}')`,
        );
      }
      await manager.query('SELECT seal_journal(true, NULL)');
    });
  }

  /** Resolves when so many callers wait for an entry. */
  waiting(count: number): Promise<void> {
    return eventually(() => expect(this.service.app.get(WaitingFollowers).waiting).toBe(count));
  }
}
