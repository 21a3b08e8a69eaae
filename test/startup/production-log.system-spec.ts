import { useTestDatabase } from '../support/test-database';
import { ask } from '../support/ask';
import { ServiceProcess } from '../support/service-process';
import { failToStart } from './failed-start';

// Each start is a process.
const JWT_SECRET = 'a secret for these tests, of more than 32 bytes';

const database = useTestDatabase();

/** Every line, parsed: a line that is not JSON fails the test. */
function parsed(
  text: string,
): { level: number; pid: number; msg: string; page?: string; administration?: string; warning?: string }[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ReturnType<typeof parsed>[number]);
}

describe('the log of production', () => {
  it('has only lines of JSON from start to stop, none of them with a token', async () => {
    const service = await ServiceProcess.start({
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      DATABASE_URL: database.url,
      JWT_SECRET,
      LOG_LEVEL: 'info',
    });
    await service.until(200, '/health/ready');
    await ask(`${service.url}/api/nothing`);
    await service.stop();
    const lines = parsed(service.lines.join('\n'));
    expect(lines.map(({ msg }) => msg)).toContain('request');
    expect(lines.filter(({ msg }) => msg === 'the service is ready')).toMatchObject([
      { page: `${service.url}/api/docs`, administration: `${service.url}/admin` },
    ]);
    expect(service.lines.join()).not.toContain('eyJ');
  });

  it('reports a wrong configuration as JSON', async () => {
    const { exitCode, stdout, stderr } = await failToStart({ NODE_ENV: 'production', PORT: 'x', LOG_LEVEL: 'silent' });
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(parsed(stderr)).toMatchObject([
      {
        level: 60,
        msg: expect.stringMatching(/^The configuration has problems:\n {2}- DATABASE_URL must be set/) as string,
      },
    ]);
  });

  it('reports a failed start and the warnings of Node as JSON', async () => {
    const url = new URL(database.url);
    url.searchParams.set('sslmode', 'require');
    const { exitCode, stdout, stderr } = await failToStart({
      NODE_ENV: 'production',
      DATABASE_URL: url.href,
      FAIR_USE_PER_ADDRESS: '0',
      LOG_LEVEL: 'warn',
    });
    expect(exitCode).toBe(1);
    expect(parsed(stdout).map(({ msg }) => msg)).toContainEqual(expect.stringContaining('SECURITY WARNING'));
    expect(parsed(stderr)).toMatchObject([
      { level: 60, msg: expect.stringContaining('does not support SSL connections') as string },
    ]);
  });
});
