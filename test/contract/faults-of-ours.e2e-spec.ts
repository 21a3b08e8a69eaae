import { type Answer, ASSIGNED, manageStatus, post, STATUS_UPDATED } from '../support/ask';
import { useTestService } from '../support/test-service';
import { everyRow, writeSmallDirectory } from '../support/small-directory';

const service = useTestService();

beforeEach(() => writeSmallDirectory(service));

const assignBen = (headers: Record<string, string> = {}): Promise<Answer> =>
  post(
    `${service.url}/api/users/workspace-assign`,
    { userIds: ['ben'], workspaces: ['atlas'] },
    { authorization: `Bearer ${service.serviceToken()}`, ...headers },
  );
const toggleBen = (): Promise<Answer> =>
  manageStatus(service, service.serviceToken(), { id: 'ben', token: service.serviceToken() });

describe('a fault inside the service', () => {
  const FAILED = 'Something went wrong on our side. Please try again later.';

  async function without<T>(table: string, act: () => Promise<T>): Promise<T> {
    await service.dataSource.query(`ALTER TABLE ${table} RENAME TO ${table}_gone`);
    try {
      return await act();
    } finally {
      await service.dataSource.query(`ALTER TABLE ${table}_gone RENAME TO ${table}`);
    }
  }

  it('is answered 500 without any detail', async () => {
    const before = await everyRow(service);
    const answer = await without('workspace_memberships', () => assignBen());

    expect(answer.text).toBe(JSON.stringify({ status: 500, message: FAILED }));
    expect(answer.status).toBe(500);
    expect(answer.headers.get('x-request-id')).not.toBeNull();
    expect(answer.headers.has('retry-after')).toBe(false);
    expect(await everyRow(service)).toEqual(before);
    expect((await assignBen()).text).toBe(ASSIGNED);
  });

  it('is answered in the format of manage-status on that route', async () => {
    const answer = await without('users', () => toggleBen());

    expect(answer.text).toBe(JSON.stringify({ status: 'error', message: FAILED }));
    expect(answer.status).toBe(500);
    expect((await toggleBen()).text).toBe(STATUS_UPDATED);
  });

  it('is answered as a problem document without details, for callers that prefer one', async () => {
    const answer = await without('workspace_memberships', () => assignBen({ accept: 'application/problem+json' }));

    expect(JSON.parse(answer.text)).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      detail: FAILED,
      code: 'service.failed',
    });
  });
});
