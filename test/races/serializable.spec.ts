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
    await directory.permission('administer', 'administrator');
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
    expect(replicas.retries).toBeGreaterThan(0);
  });

  it('run a unit of one statement at that level, whatever the default of the server is', async () => {
    const [show] = await replicas
      .at(0)
      .app.get(Transactions)
      .call((sender) => sender.query<{ transaction_isolation: string }[]>('SHOW transaction_isolation'));
    expect(show).toEqual({ transaction_isolation: 'serializable' });
  });

  it('judge a caller by what was committed while the change waited', async () => {
    const service = replicas.at(0);
    await replicas.directory.user('ada', { type: 'administrator', permissions: ['administer'] });
    const gate = await replicas.gate(`SELECT FROM users WHERE id = 'user-0' FOR UPDATE`);
    const waiting = assign(service, service.tokenOf('ada'), { userIds: ['user-0'], workspaces: ['atlas'] });
    await gate.waitFor(1);
    await service.dataSource.query(`UPDATE users SET status = 'inactive' WHERE id = 'ada'`);
    await gate.open();
    expect((await waiting).status).toBe(401);
  });

  it('can change a caller whose own change waits', async () => {
    const service = replicas.at(0);
    await replicas.directory.user('zoe', { type: 'administrator', permissions: ['administer'] });
    await replicas.directory.workspace('borealis');
    const gate = await replicas.gate('LOCK TABLE journal_inbox IN SHARE MODE');
    const waiting = assign(service, service.tokenOf('zoe'), { userIds: ['user-0'], workspaces: ['borealis'] });
    await gate.waitFor(1);
    await gate.execute(`SELECT FROM users WHERE id = 'zoe' FOR NO KEY UPDATE NOWAIT`).finally(() => gate.open());
    expect((await waiting).status).toBe(200);
  });
});
