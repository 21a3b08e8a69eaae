import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Receiver } from './receiver';
import { all, EAGER, WebhookTrial } from './webhook-trial';

const USERS = Array.from({ length: 15 }, (_, index) => `user-${index}`);

let trial: WebhookTrial;
let receiver: Receiver;

beforeAll(async () => {
  trial = await WebhookTrial.open();
});
afterAll(() => trial.close());
beforeEach(async () => {
  receiver = await Receiver.open();
});
afterEach(async () => {
  await trial.clear();
  await receiver.close();
});

/** What happened to each user, in order: the entries. */
async function happen(rounds: number): Promise<Record<string, string[]>> {
  const entries = Object.fromEntries(USERS.map((user): [string, string[]] => [user, []]));
  for (let round = 0; round < rounds; round++) {
    const ids = await trial.promote(...USERS);
    ids.forEach((id, index) => entries[USERS[index] ?? '']?.push(id));
  }
  return entries;
}

async function startProcess(leaseMs: number): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [join(__dirname, 'delivering-process.cjs'), trial.database.url, JSON.stringify({ ...EAGER, leaseMs })],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(child.stdout, 'data');
  return child;
}

it('several workers share the work, and do nothing twice', async () => {
  await trial.subscribe(receiver.url);
  // The first are answered when twelve have come: more than three of the workers would have in hand.
  const inHand: (() => void)[] = [];
  receiver.behaviour = (_received, response) => {
    inHand.push(() => response.writeHead(204).end());
    if (receiver.received.length < 12) return;
    inHand.forEach((answer) => answer());
    receiver.behaviour = () => 204;
  };
  for (let worker = 0; worker < 4; worker++) await trial.work({ concurrencyPerWebhook: 3 });
  const happened = await happen(20);
  await trial.deliveriesThat(all('delivered'));

  expect(receiver.entriesByUser()).toEqual(happened);
  expect((await trial.deliveries()).filter(({ attempts }) => attempts !== 1)).toEqual([]);
});

it('kill -9 in the middle: everything arrives, in order, and nothing that never was', async () => {
  await trial.subscribe(receiver.url);
  const happened = await happen(4);
  const inHand: (() => void)[] = [];
  // Some answers are on their way, and some tries unanswered, when the process dies.
  receiver.behaviour = (_received, response) => {
    if (receiver.received.length <= 20) return 204;
    inHand.push(() => response.writeHead(204).end());
  };
  const first = await startProcess(1_000);
  await receiver.got(24);
  first.kill('SIGKILL');
  inHand.forEach((answer) => answer());
  await once(first, 'exit');
  receiver.behaviour = () => 204;
  const second = await startProcess(1_000);
  await trial.deliveriesThat(all('delivered'));
  second.kill('SIGKILL');
  await once(second, 'exit');

  const arrived = receiver.entriesByUser();
  const each = Object.fromEntries(Object.entries(arrived).map(([user, entries]) => [user, [...new Set(entries)]]));
  expect(each).toEqual(happened);
  // What was in hand is what came twice, each right after its first time.
  const again = Object.values(arrived).flatMap((entries) =>
    entries.filter((entry, index) => entry === entries[index - 1]),
  );
  const total = Object.values(arrived).flat().length;
  expect(total - again.length).toBe(60);
  expect(again.length).toBeGreaterThan(0);
});
