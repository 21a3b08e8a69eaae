import { ConnectionPools } from '@user-administration/postgres';
import { Sealer } from '../../src/journal/sealer';
import { DeliveryWorker } from '../../src/plugins/webhooks/delivery-worker';
import { type Answer, post, STATUS_UPDATED } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { eventually } from '../support/eventually';
import { useReplicas } from './replicas';
import { querySealed } from '../support/sealed';

const ROUNDS = 10;
const REPEATS = 16;

describeOnServer('a request with an Idempotency-Key that is sent repeatedly to two replicas', () => {
  const replicas = useReplicas();
  let token: string;

  beforeAll(async () => {
    await replicas.directory.user('ben');
    token = replicas.both[0].serviceToken();
  });

  function toggle(turn: number, key: string, id = 'ben'): Promise<Answer> {
    return post(
      `${replicas.at(turn).url}/api/users/manage-status`,
      { id, token },
      { authorization: `Bearer ${token}`, 'idempotency-key': key },
    );
  }

  async function changes(): Promise<number> {
    const rows: unknown[] = await querySealed(
      replicas.both[0].dataSource,
      `SELECT FROM journal_entries WHERE action = 'user.status.changed'`,
    );
    return rows.length;
  }

  it('takes effect exactly once, whatever replica is first', async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      const key = `round-${round}`;
      const answers = await Promise.all(Array.from({ length: REPEATS }, (_, turn) => toggle(turn, key)));

      const done = answers.filter(({ status }) => status === 200);
      expect(new Set(done.map(({ text }) => text))).toEqual(new Set([STATUS_UPDATED]));
      expect(done.filter(({ headers }) => !headers.has('idempotency-replayed'))).toHaveLength(1);
      expect(answers.filter(({ status }) => status !== 200).every(({ status }) => status === 409)).toBe(true);
      expect((await toggle(round, key)).headers.get('idempotency-replayed')).toBe('true');
      expect(await changes()).toBe(round);
      const [user]: { status: string }[] = await replicas.query('SELECT status FROM users');
      expect(user?.status).toBe(round % 2 === 1 ? 'inactive' : 'active');
    }
    expect(replicas.takeFailures()).toEqual([]);
  });

  it('is answered 409 at once while the first is being processed', async () => {
    const before = await changes();
    const gate = await replicas.gate(`SELECT FROM users WHERE id = 'ben' FOR UPDATE`);
    const first = toggle(0, 'slow');
    await gate.waitFor(1);
    // Were it to wait, it would do so until the gate opens, and that is below.
    const second = await toggle(1, 'slow');
    expect([second.status, second.text]).toEqual([
      409,
      '{"status":"error","message":"A request with this Idempotency-Key is still being processed. Please try again shortly."}',
    ]);
    await gate.open();
    expect((await first).status).toBe(200);
    expect((await toggle(1, 'slow')).headers.get('idempotency-replayed')).toBe('true');
    expect(await changes()).toBe(before + 1);
  });

  it('changes nothing if the first changed nothing, also when both are sent at once', async () => {
    const set = (turn: number, status: string, key: string) =>
      post(
        `${replicas.at(turn).url}/api/users/status-assign`,
        { userIds: ['eve'], status },
        { authorization: `Bearer ${token}`, 'idempotency-key': key },
      );
    await replicas.directory.user('eve');
    const before = await changes();
    const gate = await replicas.gate(`SELECT FROM users WHERE id = 'eve' FOR UPDATE`);
    const first = set(0, 'active', 'unchanged');
    await gate.waitFor(1);
    expect((await set(1, 'active', 'unchanged')).status).toBe(409);
    await gate.open();
    expect((await first).status).toBe(200);
    expect((await set(0, 'inactive', 'opposite')).status).toBe(200);

    const again = await set(1, 'active', 'unchanged');
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([(await first).text, 'true']);
    expect(await changes()).toBe(before + 1);
  });

  it('can use its key again after the first has failed', async () => {
    const gate = await replicas.gate('LOCK TABLE users IN EXCLUSIVE MODE');
    const first = toggle(0, 'failing', 'nobody');
    await gate.waitFor(1);
    expect((await toggle(1, 'failing')).status).toBe(409);
    await gate.open();
    expect((await first).status).toBe(401);
    expect((await toggle(1, 'failing')).status).toBe(200);
  });

  it('gets the first answer even if the first request ends after the look-up of its key', async () => {
    const create = (turn: number) =>
      post(
        `${replicas.at(turn).url}/api/users`,
        { id: 'kim' },
        { authorization: `Bearer ${token}`, 'idempotency-key': 'creating' },
      );
    const { app, dataSource } = replicas.at(1);
    const takeConnection = async () => {
      const runner = dataSource.createQueryRunner();
      await runner.connect();
      return runner;
    };
    // Nothing else may take a turn.
    await app.get(DeliveryWorker).stop();
    await app.get(Sealer).beforeApplicationShutdown();
    // The pool serves in turn: the look-up of the second request, then this test, then the change of that request.
    const [last, ...others] = await Promise.all(Array.from({ length: replicas.database.poolSize }, takeConnection));
    const second = create(1);
    await eventually(async () => expect(app.get(ConnectionPools).use.waiting).toBe(1));
    const behind = takeConnection();
    await last?.release();
    const taken = [...others, await behind];
    const first = await create(0);
    await Promise.all(taken.map((runner) => runner.release()));

    expect(first.status).toBe(201);
    expect([(await second).status, (await second).text]).toEqual([201, first.text]);
    expect((await second).headers.get('idempotency-replayed')).toBe('true');
  });
});
