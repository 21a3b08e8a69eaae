import { type Answer, ask, ASSIGNED, post, STATUS_UPDATED } from '../support/ask';
import { handmade, inSeconds } from '../support/forged-tokens';
import { ServiceProcess } from '../support/service-process';
import { SeverableDatabase } from '../support/severable-database';
import { SECRET } from '../support/token-trial';

interface Line {
  msg: string;
}

const AWAY = 'The service is temporarily unavailable. Please try again shortly.';

let database: SeverableDatabase;
let service: ServiceProcess;

beforeAll(async () => {
  database = await SeverableDatabase.open({ empty: true });
  await database.cut();
  const { url, poolSize } = database.address;
  service = await ServiceProcess.start({
    LOG_LEVEL: 'warn',
    DATABASE_URL: url,
    DATABASE_POOL_SIZE: String(poolSize),
    JWT_SECRET: SECRET,
  });
});
afterAll(async () => {
  await service.stop();
  await database.close();
});

const token = (): string => handmade(SECRET, { sub: 'robot', scope: 'users:administer', exp: inSeconds(300) });
const assign = (bearer = token()): Promise<Answer> =>
  post(
    `${service.url}/api/users/workspace-assign`,
    { userIds: ['ben'], workspaces: ['atlas'] },
    { authorization: `Bearer ${bearer}` },
  );
const toggle = (): Promise<Answer> =>
  post(`${service.url}/api/users/manage-status`, { id: 'ben', token: token() }, { authorization: `Bearer ${token()}` });

function expectAway(answer: Answer, body: object): void {
  expect(answer.text).toBe(JSON.stringify(body));
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
}

// One story, in this order: the database is away when the service starts, comes, goes, and comes back.
describe('a service whose database is away', () => {
  it('starts, and answers 503', async () => {
    expectAway(await assign(), { status: 503, message: AWAY });
    expectAway(await toggle(), { status: 'error', message: AWAY });
    expect((await ask(`${service.url}/health/ready`)).status).toBe(503);
    expect((await ask(`${service.url}/health/live`)).status).toBe(200);
  });

  it('serves as soon as the database is there', async () => {
    await database.mend();
    await service.until(200, '/health/ready');
    await database.fill(async (directory) => {
      await directory.workspace('atlas');
      await directory.user('ben');
    });

    expect((await assign()).text).toBe(ASSIGNED);
  });

  it('answers 503 in the format of the route, and serves again when the database is back', async () => {
    for (let time = 1; time <= 3; time++) {
      await database.cut();
      expectAway(await assign(), { status: 503, message: AWAY });
      expectAway(await toggle(), { status: 'error', message: AWAY });
      expect((await ask(`${service.url}/health/ready`)).status).toBe(503);

      await database.mend();
      expect((await assign()).text).toBe(ASSIGNED);
      expect((await toggle()).text).toBe(STATUS_UPDATED);
      // Readiness is what the database last answered, twice a second: it may follow the first request that is served.
      await service.until(200, '/health/ready');
    }
  });

  it('still refuses an invalid token with 401', async () => {
    await database.cut();
    expect((await assign('nonsense')).status).toBe(401);
    await database.mend();
  });

  it('logs the outage, and warns of each request that it did not serve', () => {
    const lines = service.lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as object);
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'request', status: 503 }));
    const { host } = new URL(database.address.url);
    const said = service.lines.filter((line) => line.startsWith('{')).map((line) => (JSON.parse(line) as Line).msg);
    const listening = `The service listens on ${service.url}, and answers 503 until the database at ${host} is ready.`;
    expect(said.filter((line) => line === listening)).toHaveLength(1);
    expect(said.filter((line) => line.startsWith(`The database at ${host} is away (`)).length).toBeGreaterThan(0);
  });
});
