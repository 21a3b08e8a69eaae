import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { ActiveUsers } from '../../../client/src/active-users/active-users.ts';
import { testDatabaseUrl } from '../../../test/setup/test-environment';
import { describeOnServer } from '../../../test/support/describe-on-server';
import { withClient } from '../src/with-client';
import { builtKit, type UserAdministration } from './built-kit';

const { startUserAdministration } = builtKit();

/** What a suite's `afterAll` may take: its runner ends a hook after five seconds. A busy machine has three tries. */
const CLOSES_WITHIN_MS = 1_000;
const TRIES = 3;

/** An app whose guard follows the journal, as `ActiveUserGuard` does. */
async function follow({ client }: UserAdministration): Promise<ActiveUsers> {
  const app = new ActiveUsers(client);
  app.start();
  expect(await app.ready(5_000)).toBe(true);
  return app;
}

const ORDERS: [string, (users: UserAdministration) => Promise<() => Promise<void>>][] = [
  [
    'the app before the kit',
    async (users) => {
      const app = await follow(users);
      return async () => {
        app.stop();
        await users.close();
      };
    },
  ],
  [
    'the kit before the app',
    async (users) => {
      const app = await follow(users);
      return async () => {
        await users.close();
        app.stop();
      };
    },
  ],
  [
    'the kit while connections have sent nothing, or half a request',
    async ({ url, close }) => {
      const { port } = new URL(url);
      const sockets = await Promise.all(
        ['', 'GET /api/me HTTP/1.1\r\nHost:'].map(
          (sent) =>
            new Promise<Socket>((resolve) => {
              const socket = connect(Number(port), '127.0.0.1', () => socket.write(sent, () => resolve(socket)));
              socket.on('error', () => undefined);
            }),
        ),
      );
      return async () => {
        await close();
        for (const socket of sockets) socket.destroy();
      };
    },
  ],
];

describe.each(ORDERS)('closing %s', (_order, prepare) => {
  it('takes less than a second', async () => {
    expect(await closingTime(undefined)).toBeLessThan(CLOSES_WITHIN_MS);
  });

  describeOnServer('on a server', () => {
    it('takes less than a second, and leaves no database', async () => {
      const server = testDatabaseUrl() ?? '';
      const role = `kit_${randomBytes(4).toString('hex')}`;
      const asRole = Object.assign(new URL(server), { username: role, password: role }).href;
      await withClient(server, async (client) => {
        await client.query(`CREATE ROLE ${role} LOGIN CREATEDB PASSWORD '${role}'`);
        const databases = async () =>
          (await client.query('SELECT FROM pg_database WHERE datdba = $1::regrole', [role])).rowCount;
        expect(await closingTime(asRole, databases)).toBeLessThan(CLOSES_WITHIN_MS);
        await client.query(`DROP ROLE ${role}`);
      });
    });
  });

  async function closingTime(databaseUrl?: string, databases?: () => Promise<number | null>): Promise<number> {
    let best = Infinity;
    for (let tries = 0; tries < TRIES && best >= CLOSES_WITHIN_MS; tries++) {
      const users = await startUserAdministration({ databaseUrl, directory: [{ user: { id: 'eva' } }] });
      const close = await prepare(users);
      if (databases) expect(await databases()).toBe(1);
      const began = performance.now();
      await close();
      best = Math.min(best, performance.now() - began);
      if (databases) expect(await databases()).toBe(0);
    }
    return best;
  }
});
