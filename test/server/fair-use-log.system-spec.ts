import { ask } from '../support/ask';
import { ServiceProcess } from '../support/service-process';
import { useTestDatabase } from '../support/test-database';

const database = useTestDatabase();

// A request of a throttled address is refused before its caller is known, so nothing else in the line says who it is.
it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8::7', '2001:db8:0:0'],
])('the log names an address that made too many requests: %s', async (address, network) => {
  const service = await ServiceProcess.start({
    LOG_LEVEL: 'warn',
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: String(database.poolSize),
    // Windows begin by the clock: this one does not end during the test.
    FAIR_USE_WINDOW_SECONDS: '86400',
    FAIR_USE_PER_ADDRESS: '1',
    TRUSTED_PROXIES: '1',
  });
  const call = () => ask(`${service.url}/api/me`, { headers: { 'x-forwarded-for': address } });
  expect([(await call()).status, (await call()).status]).toEqual([401, 429]);
  await service.stop();
  const lines = service.lines
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.filter(({ status }) => status === 429)).toMatchObject([
    { route: '/api/me', refused: 'request.too_frequent', reason: `too many requests of the address ${network}` },
  ]);
});
