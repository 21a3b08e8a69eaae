// A suite of another team, which Jest runs in a process and a realm of its own: see moved-clocks.system-spec.ts.
const { startUserAdministration } = require(process.env.KIT);

let users;
beforeAll(async () => {
  users = await startUserAdministration();
});
afterEach(async () => {
  jest.useRealTimers();
  await users.reset();
});
afterAll(() => users.close());

const HOURS = 3_600_000;
const DATES = [30_000, 2 * HOURS, -2 * HOURS].map((ms) => Date.now() + ms);
DATES.push(Date.UTC(2024, 1, 29), Date.UTC(2038, 0, 19, 3, 14, 8), 0);

async function statusOf(token) {
  return (await fetch(`${users.url}/api/me`, { headers: { authorization: `Bearer ${token}` } })).status;
}

async function useEverything() {
  expect(await statusOf(users.tokenFor('cyd'))).toBe(200);
  expect(await statusOf(users.tokenFor('cyd', { expiresIn: -1 }))).toBe(401);
  await users.client.users.assignStatus({ userIds: ['ben'], status: 'inactive' });
  expect((await users.events.first('user.status.changed')).data.user).toBe('ben');
}

it.each(DATES)('works when fake timers stand at %d, and when they move', async (now) => {
  jest.useFakeTimers({ now });
  await useEverything();
  jest.setSystemTime(now + 2 * HOURS);
  jest.advanceTimersByTime(2 * HOURS);
  await users.reset();
  await useEverything();
});

it.each(DATES)('works when Date is another one, at %d', async (now) => {
  const real = globalThis.Date;
  globalThis.Date = class extends real {
    constructor() {
      super(now);
    }
    static now = () => now;
  };
  try {
    await useEverything();
  } finally {
    globalThis.Date = real;
  }
});

it('gives up waiting for an event after five seconds, also when timers stand still', async () => {
  jest.useFakeTimers();
  await expect(users.events.first('user.deleted')).rejects.toThrow(
    'There was no event user.deleted within five seconds. No event came.',
  );
});
