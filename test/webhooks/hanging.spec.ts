import { Client } from 'pg';
import { describeOnServer } from '../support/describe-on-server';
import { sealed } from '../support/sealed';
import { Receiver } from './receiver';
import { openTrialAndReceivers } from './trial-and-receivers';
import { EAGER, type WebhookTrial } from './webhook-trial';

let trial: WebhookTrial;
let receiver: Receiver;

openTrialAndReceivers((opened) => ({ trial, receiver } = opened));

const HUNG = 20;
const OWN_EVENTS = 49;

/** One request changes the status of ten thousand users. */
const changeAll = () =>
  trial.dataSource.query(`
    SELECT journal_append_changes('system', 'mill', NULL, NULL, NULL, NULL, ARRAY[
      ROW('user.status.changed', (SELECT array_agg('user-' || n) FROM generate_series(1, 10000) AS n), NULL,
        '{"status": "active"}', '{"status": "inactive"}')::journal_new_change])`);

const changeOne = (user: string) =>
  trial.dataSource.query(
    `SELECT journal_append_changes('system', 'mill', NULL, NULL, NULL, NULL, ARRAY[
       ROW('user.type.changed', ARRAY[$1], NULL, '{"type": "guest"}', '{"type": "member"}')::journal_new_change])`,
    [user],
  );

it('a webhook gets all of its events while twenty others hang behind five changes of 10,000 users', async () => {
  const silent = await Receiver.open(() => undefined);
  for (let count = 0; count < HUNG; count++) await trial.subscribe(silent.url, ['user.status.changed']);
  await trial.subscribe(receiver.url, ['user.type.changed']);
  for (let event = 0; event < OWN_EVENTS; event++) {
    if (event % 10 === 0) await changeAll();
    await changeOne(`own-${event}`);
  }
  await sealed(trial.dataSource);
  await trial.work({ timeoutMs: 3_600_000, leaseMs: 7_200_000, stopMs: 0 });
  await receiver.got(OWN_EVENTS);
  await silent.got(HUNG * EAGER.concurrencyPerWebhook);
  const owed: { pending: number }[] = await trial.dataSource.query(
    `SELECT count(*)::integer AS pending FROM webhook_deliveries WHERE state IN ('pending', 'waiting') AND subject LIKE 'user-%' GROUP BY subscription_id`,
  );
  expect(owed).toEqual(Array.from({ length: HUNG }, () => ({ pending: 1_000 })));
  await trial.stopWorkers();
  await silent.close();
});

it('webhooks have their turns one after the other, whichever is furthest behind', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) ids.push((await trial.subscribe(receiver.url, ['user.renamed'])).id);
  for (let change = 0; change < 3; change++) await changeAll();
  for (let change = 0; change < 1_500; change++) await changeOne('ben');
  await sealed(trial.dataSource);
  const turns: (string | null)[] = [];
  for (let last: string | null = ''; last !== null; turns.push(last)) {
    [{ last }] = await trial.dataSource.query<[{ last: string | null }]>('SELECT expand_next_webhook($1) AS last', [
      last,
    ]);
  }
  expect(turns).toEqual([...ids, ...ids, null]);
});

describeOnServer('a claim that was planned when there were no deliveries', () => {
  it('reads little of many that came before anybody has analyzed their table', async () => {
    const client = new Client(trial.database.url);
    await client.connect();
    const CLAIM = `SELECT * FROM claim_deliveries(32, 8, '{}', 60000)`;
    for (let poll = 0; poll < 10; poll++) await client.query(CLAIM);
    await trial.dataSource.query('ALTER TABLE webhook_deliveries SET (autovacuum_enabled = false)');
    for (let count = 0; count < HUNG; count++) await trial.subscribe(receiver.url, ['user.status.changed']);
    for (let change = 0; change < 5; change++) await changeAll();
    await sealed(trial.dataSource);
    // Five for each user, of which four have to wait.
    await trial.dataSource.query(`
      INSERT INTO webhook_deliveries (subscription_id, entry_id, change_position, subject)
      SELECT s.id, c.position + nth, c.position, c.user_ids[nth + 1] FROM webhook_subscriptions AS s
      CROSS JOIN journal_changes AS c CROSS JOIN generate_series(0, 49) AS nth WHERE c.action = 'user.status.changed' AND c.entries = 1000`);
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${CLAIM}`,
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
    expect(plan['Actual Rows']).toBe(32);
    expect((plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)).toBeLessThan(5_000);
    await client.end();
  });
});
