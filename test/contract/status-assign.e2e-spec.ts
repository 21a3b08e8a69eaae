import { type Answer, ask, post, UNAUTHENTICATED } from '../support/ask';
import { useTestService } from '../support/test-service';
import { everyRow, writeSmallDirectory } from '../support/small-directory';

const UPDATED = '{"status":200,"message":"User statuses successfully updated."}';

const service = useTestService();

beforeEach(() => writeSmallDirectory(service));

function assignStatus(body: unknown, caller = 'ada'): Promise<Answer> {
  const authorization = `Bearer ${service.tokenOf(caller)}`;
  return post(`${service.url}/api/users/status-assign`, body, { authorization });
}

async function activeUsers(): Promise<string[]> {
  const rows: { id: string }[] = await service.dataSource.query(
    `SELECT id FROM users WHERE status = 'active' ORDER BY id`,
  );
  return rows.map(({ id }) => id);
}

describe('status-assign', () => {
  it('sets statuses, and never toggles them', async () => {
    const request = { userIds: ['ben', 'cyd', 'max', 'ben'], status: 'inactive' };
    const answer = await assignStatus(request);
    expect([answer.status, answer.text]).toEqual([200, UPDATED]);
    expect(await activeUsers()).toEqual(['ada', 'zoe']);
    const before = await everyRow(service);
    expect((await assignStatus(request)).text).toBe(UPDATED);
    expect(await everyRow(service)).toEqual(before);
    expect((await assignStatus({ ...request, status: 'active' })).text).toBe(UPDATED);
    expect(await activeUsers()).toEqual(['ada', 'ben', 'cyd', 'max', 'zoe']);
  });

  it('records each change in the journal, with the reason', async () => {
    await assignStatus({ userIds: ['max', 'cyd', 'ben'], status: 'inactive', reason: 'The project has ended' });
    const { text } = await ask(`${service.url}/api/journal?limit=2`, {
      headers: { authorization: `Bearer ${service.tokenOf('ada')}` },
    });
    const { entries } = JSON.parse(text) as { entries: Record<string, unknown>[] };
    expect(entries.map(({ action, user, before, after, reason }) => [action, user, before, after, reason])).toEqual(
      ['max', 'ben'].map((user) => [
        'user.status.changed',
        user,
        { status: 'active' },
        { status: 'inactive' },
        'The project has ended',
      ]),
    );
  });

  it('takes effect at once, also for the caller', async () => {
    const request = { userIds: ['ada', 'max'], status: 'inactive' };
    expect((await assignStatus(request)).text).toBe(UPDATED);
    expect((await assignStatus(request)).text).toBe(UNAUTHENTICATED);
    expect((await assignStatus({ ...request, status: 'active' }, 'zoe')).text).toBe(UPDATED);
  });

  it('cannot deactivate the last active administrator, and then changes no other user either', async () => {
    const before = await everyRow(service);
    const answer = await assignStatus({ userIds: ['ben', 'zoe', 'ada', 'old-admin'], status: 'inactive' });
    const refusal = '{"status":409,"message":"At least one active administrator must remain."}';
    expect([answer.status, answer.text]).toEqual([409, refusal]);
    expect(await everyRow(service)).toEqual(before);
  });

  it('can deactivate users, also inactive administrators, where no administrator is active', async () => {
    await service.dataSource.query(`UPDATE users SET status = 'inactive' WHERE type = 'administrator'`);
    const authorization = `Bearer ${service.serviceToken()}`;
    const body = { userIds: ['ben', 'ada'], status: 'inactive' };
    expect((await post(`${service.url}/api/users/status-assign`, body, { authorization })).text).toBe(UPDATED);
    expect(await activeUsers()).toEqual(['max']);
  });

  it('changes 10,000 users in one request', async () => {
    await service.dataSource.query(`INSERT INTO users (id) SELECT 'user-' || n FROM generate_series(0, 9999) AS n`);
    expect((await assignStatus({ userIds: ids(10_000), status: 'inactive' })).text).toBe(UPDATED);
    expect(await activeUsers()).toHaveLength(4);
  });
});

const ids = (count: number) => Array.from({ length: count }, (_, index) => `user-${index}`);
