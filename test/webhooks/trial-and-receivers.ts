import { Receiver } from './receiver';
import { WebhookTrial } from './webhook-trial';

/** Opens one trial for the tests of a file, and a receiver for each test. `assign` is called before each test. */
export function openTrialAndReceivers(assign: (opened: { trial: WebhookTrial; receiver: Receiver }) => void): void {
  let trial: WebhookTrial;
  let receiver: Receiver;

  beforeAll(async () => {
    trial = await WebhookTrial.open();
  });
  afterAll(() => trial.close());
  beforeEach(async () => {
    receiver = await Receiver.open();
    assign({ trial, receiver });
  });
  afterEach(async () => {
    await trial.clear();
    await receiver.close();
  });
}
