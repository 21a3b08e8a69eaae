import { manageStatus, NOT_PERMITTED, post, STATUS_UPDATED } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { writeSmallDirectory } from '../support/small-directory';
import { useTestService } from '../support/test-service';

const MINUTE_MS = 60_000;

// The embedded database has the clock of its process.
describeOnServer('a status token, at a process whose clock is behind that of the database', () => {
  const service = useTestService();
  let clock: jest.SpyInstance;

  beforeEach(() => writeSmallDirectory(service));
  afterEach(() => clock.mockRestore());

  function setBack(minutes: number): void {
    const now = Date.now.bind(Date);
    clock = jest.spyOn(Date, 'now').mockImplementation(() => now() - minutes * MINUTE_MS);
  }

  async function minted(status: string): Promise<string> {
    const headers = { authorization: `Bearer ${service.tokenOf('ada')}` };
    const answer = await post(`${service.url}/api/users/status-tokens`, { id: 'cyd', status, expiresIn: 60 }, headers);
    return (JSON.parse(answer.text) as { token: string }).token;
  }

  async function use(token: string): Promise<string> {
    return (await manageStatus(service, service.tokenOf('zoe'), { id: 'cyd', token })).text;
  }

  it('works once', async () => {
    setBack(30);
    const token = await minted('active');
    expect(await use(token)).toBe(STATUS_UPDATED);
    expect(await use(await minted('inactive'))).toBe(STATUS_UPDATED);
    expect(await use(token)).toBe(NOT_PERMITTED);
  });

  it('is refused if the database could already have forgotten its use', async () => {
    setBack(62);
    expect(await use(await minted('active'))).toBe(NOT_PERMITTED);
    expect(await service.dataSource.query(`SELECT status FROM users WHERE id = 'cyd'`)).toEqual([
      { status: 'inactive' },
    ]);
  });
});
