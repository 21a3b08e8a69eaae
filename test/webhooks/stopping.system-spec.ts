import { ServiceProcess } from '../support/service-process';
import { Receiver } from './receiver';
import { WebhookTrial } from './webhook-trial';

/** An attempt to deliver would end after 15 s. */
const STOP_WITHIN_MS = 12_000;
const LEASED = { state: 'pending', attempts: 1, lease: expect.any(String) };
const GIVEN_BACK = { state: 'pending', attempts: 0, lease: null };

let trial: WebhookTrial;
let receiver: Receiver;
let environment: Record<string, string>;

beforeAll(async () => {
  trial = await WebhookTrial.open();
  environment = {
    DATABASE_URL: trial.database.url,
    DATABASE_POOL_SIZE: String(trial.database.poolSize),
    JWT_SECRET: 'a secret for these tests, of more than 32 bytes',
    LOG_LEVEL: 'warn',
    SHUTDOWN_DRAIN_MS: '0',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  };
});
afterAll(() => trial.close());
beforeEach(async () => {
  // It never answers.
  receiver = await Receiver.open(() => undefined);
  await trial.subscribe(receiver.url);
  await trial.promote('ben');
});
afterEach(async () => {
  await trial.clear();
  await receiver.close();
});

/** Stops a process that waits for the receiver: in good order, in time, and with nothing left behind. */
async function expectGivenBack(stop: () => Promise<unknown>): Promise<void> {
  await receiver.got(1);
  expect(await trial.deliveries()).toMatchObject([LEASED]);
  const began = performance.now();
  expect(await stop()).toBe(0);
  expect(performance.now() - began).toBeLessThan(STOP_WITHIN_MS);
  expect(await trial.deliveries()).toMatchObject([GIVEN_BACK]);
}

it('a stopping service releases an unanswered delivery, and another process sends it at once', async () => {
  const first = await ServiceProcess.start(environment);
  await expectGivenBack(() => first.stop());

  receiver.behaviour = () => 204;
  const second = await ServiceProcess.start(environment);
  await receiver.got(2);
  await trial.deliveriesThat((rows) => rows.every(({ state, attempts }) => state === 'delivered' && attempts === 1));
  expect(await second.stop()).toBe(0);
});
