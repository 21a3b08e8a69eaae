import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Receiver } from './receiver';
import { openTrialAndReceivers } from './trial-and-receivers';
import { all, EAGER, type WebhookTrial } from './webhook-trial';

const USERS = Array.from({ length: 15 }, (_, index) => `user-${index}`);

let trial: WebhookTrial;
let receiver: Receiver;

openTrialAndReceivers((opened) => ({ trial, receiver } = opened));

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
    [
      join(__dirname, 'delivering-process.cjs'),
      trial.database.url,
      JSON.stringify({ ...EAGER, leaseMs, timeoutMs: leaseMs / 2 }),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(child.stdout, 'data');
  return child;
}

it('several workers share the deliveries, and attempt none twice', async () => {
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

it('after a kill -9 all deliveries still arrive, in order, and only deliveries of changes that were made', async () => {
  await trial.subscribe(receiver.url);
  const happened = await happen(4);
  const inHand: (() => void)[] = [];
  // Some answers are on their way, and some tries unanswered, when the process dies.
  receiver.behaviour = (_received, response) => {
    if (receiver.received.length <= 20) return 204;
    inHand.push(() => response.writeHead(204).end());
  };
  const first = await startProcess(3_000);
  await receiver.got(24);
  first.kill('SIGKILL');
  inHand.forEach((answer) => answer());
  await once(first, 'exit');
  receiver.behaviour = () => 204;
  const second = await startProcess(3_000);
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
