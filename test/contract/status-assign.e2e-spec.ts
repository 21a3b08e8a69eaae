import { type Answer, ask, post, UNAUTHENTICATED } from '../support/ask';
import { type ContractService, startContractService } from '../support/contract-service';
import { everyRow, writeSmallDirectory } from '../support/small-directory';

const UPDATED = '{"status":200,"message":"User statuses successfully updated."}';

let service: ContractService;

beforeAll(async () => {
  service = await startContractService();
});
afterAll(() => service.close());
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

describe('many statuses', () => {
  it('are set, and never toggled', async () => {
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

  it('are in the journal, each with the reason', async () => {
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

  it('take effect at once, for the caller as well', async () => {
    const request = { userIds: ['ada', 'max'], status: 'inactive' };
    expect((await assignStatus(request)).text).toBe(UPDATED);
    expect((await assignStatus(request)).text).toBe(UNAUTHENTICATED);
    expect((await assignStatus({ ...request, status: 'active' }, 'zoe')).text).toBe(UPDATED);
  });

  it('cannot remove the last active administrator, regardless of the other users', async () => {
    const before = await everyRow(service);
    const answer = await assignStatus({ userIds: ['ben', 'zoe', 'ada', 'old-admin'], status: 'inactive' });
    const refusal = '{"status":409,"message":"At least one active administrator must remain."}';
    expect([answer.status, answer.text]).toEqual([409, refusal]);
    expect(await everyRow(service)).toEqual(before);
  });

  it('of 10,000 users change in one request', async () => {
    await service.dataSource.query(`INSERT INTO users (id) SELECT 'user-' || n FROM generate_series(0, 9999) AS n`);
    expect((await assignStatus({ userIds: ids(10_000), status: 'inactive' })).text).toBe(UPDATED);
    expect(await activeUsers()).toHaveLength(4);
  });
});

const ids = (count: number) => Array.from({ length: count }, (_, index) => `user-${index}`);
const INVALID_USER = 'Please select a valid User.';
const INVALID_STATUS = 'Please choose active or inactive as the status.';
const INVALID_REASON = 'Please give the reason as text of at most 500 characters.';

describe('what is refused, in this order', () => {
  it.each<[string, unknown, string]>([
    ['no users', { status: 'asleep' }, 'Please select at least one user.'],
    ['an empty list', { userIds: [], status: 'asleep' }, 'Please select at least one user.'],
    ['no list', { userIds: { 0: 'ben' }, status: 'asleep' }, INVALID_USER],
    ['a number', { userIds: ['ben', 7], status: 'asleep' }, INVALID_USER],
    ['an unknown user', { userIds: ['ben', 'nobody'], status: 'asleep', reason: 7 }, INVALID_USER],
    ['NUL', { userIds: ['ben', 'b\0n'], status: 'inactive' }, INVALID_USER],
    ['too many', { userIds: ids(10_001), status: 'asleep' }, 'This request is too large: at most 10,000 users.'],
    ['no status', { userIds: ['ben'], reason: 7 }, INVALID_STATUS],
    ['another status', { userIds: ['ben'], status: 'Inactive', reason: 7 }, INVALID_STATUS],
    ['a list of statuses', { userIds: ['ben'], status: ['inactive'] }, INVALID_STATUS],
    ['a reason that is no text', { userIds: ['ben'], status: 'inactive', reason: 7 }, INVALID_REASON],
    ['a long reason', { userIds: ['ben'], status: 'inactive', reason: 'x'.repeat(501) }, INVALID_REASON],
    ['a reason with NUL', { userIds: ['ben'], status: 'inactive', reason: 'a\0b' }, INVALID_REASON],
  ])('%s', async (_, body, message) => {
    const before = await everyRow(service);
    const answer = await assignStatus(body);
    expect([answer.status, answer.text]).toEqual([400, JSON.stringify({ status: 400, message })]);
    expect(await everyRow(service)).toEqual(before);
  });

  it('a caller that is not an administrator, first of all', async () => {
    const answer = await assignStatus({ userIds: 7 }, 'max');
    expect([answer.status, answer.text]).toEqual([
      403,
      '{"status":403,"message":"Only an administrator can do this."}',
    ]);
  });

  it('any verb but POST', async () => {
    const answer = await ask(`${service.url}/api/users/status-assign`);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });
});
