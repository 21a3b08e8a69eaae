import { Transactions } from '../../src/database/transactions';
import { assign } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { call } from '../support/record-calls';
import { Replicas } from './replicas';

const CLIENTS = 24;
const REQUESTS = 8;

describeOnServer('two replicas at SERIALIZABLE', () => {
  let replicas: Replicas;

  beforeAll(async () => {
    replicas = await Replicas.start('serializable');
    const { directory } = replicas;
    await directory.permission('read', 'member');
    await directory.workspace('atlas', ['read']);
    for (let client = 0; client < CLIENTS; client++) await directory.user(`user-${client}`);
  });
  afterAll(() => replicas.close());

  /** The rows of so few users are on one page, so PostgreSQL takes the changes of different users for conflicts, too. */
  it('complete every change of many clients to the same few rows', async () => {
    const work = async (client: number) => {
      const statuses: number[] = [];
      for (let turn = 0; turn < REQUESTS; turn++) {
        const service = replicas.at(client);
        const token = service.serviceToken();
        const user = `user-${client}`;
        statuses.push((await assign(service, token, { userIds: [user], workspaces: ['atlas'] })).status);
        const patch = { headers: { authorization: `Bearer ${token}` }, body: { displayName: `name ${turn}` } };
        statuses.push((await call(service, 'PATCH', `/api/users/${user}`, patch)).status);
      }
      return statuses;
    };
    const statuses = await Promise.all(Array.from({ length: CLIENTS }, (_, client) => work(client)));
    expect(statuses.flat().filter((status) => status !== 200)).toEqual([]);
    expect(await replicas.falseTypes()).toEqual([]);
    // Otherwise nothing met, and this test says nothing.
    expect(replicas.both.some((service) => service.app.get(Transactions).retries > 0)).toBe(true);
  });
});
