import type { DeliveryDto, DeliveryWithBodyDto } from '../../src/plugins/webhooks/dto/delivery.dto';
import { DeliveryWorker } from '../../src/plugins/webhooks/delivery-worker';
import { eventually } from '../support/eventually';
import { allDelivered, isPutOff, WebhookApi } from './webhook-api';

const api = WebhookApi.forEachTest();

describe('a delivery at /api/webhooks/{id}/deliveries', () => {
  it('can be read, with its body', async () => {
    const webhook = await api.create();
    await api.toggle('max');
    const [delivery] = await api.deliveriesOf(webhook, allDelivered(1));
    const [received] = api.receiver.received;
    expect(delivery).toEqual({
      id: received?.headers['webhook-id'],
      event: 'user.status.changed',
      user: 'max',
      state: 'delivered',
      attempts: 1,
      createdAt: expect.stringMatching(/Z$/),
      lastAttemptAt: expect.stringMatching(/Z$/),
      lastStatus: 204,
      lastError: null,
      nextAttemptAt: null,
      finishedAt: expect.stringMatching(/Z$/),
    });
    expect(await api.done('GET', `/${webhook.id}/deliveries/${delivery?.id}`)).toEqual({
      ...delivery,
      body: received?.event,
    });
  });

  it('can be replayed, and is sent again unchanged', async () => {
    const webhook = await api.create();
    await api.toggle('max');
    const [delivery] = await api.deliveriesOf(webhook, allDelivered(1));
    const replayed = await api.done<DeliveryWithBodyDto>('POST', `/${webhook.id}/deliveries/${delivery?.id}/replay`);
    expect(replayed).toMatchObject({ id: delivery?.id, state: expect.stringMatching(/pending|delivered/) });
    const [first, second] = await api.receiver.got(2);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.text).toBe(first?.text);
    expect(await api.deliveriesOf(webhook, allDelivered(1))).toMatchObject([{ attempts: 1 }]);
  });

  it('wakes the worker when it is replayed', async () => {
    const webhook = await api.create();
    await api.toggle('max');
    const [delivery] = await api.deliveriesOf(webhook, allDelivered(1));
    const hint = jest.spyOn(api.service.app.get(DeliveryWorker), 'hint');
    await api.done('POST', `/${webhook.id}/deliveries/${delivery?.id}/replay`);
    await eventually(() => expect(hint).toHaveBeenCalledTimes(1));
    hint.mockRestore();
  });

  it('is not sent a second time when it is replayed during an attempt', async () => {
    let answer = () => {};
    api.receiver.behaviour = (_, response) => {
      answer = () => response.writeHead(204).end();
      api.receiver.behaviour = () => 204;
    };
    const webhook = await api.create();
    await api.toggle('max');
    await api.receiver.got(1);
    const [delivery] = await api.deliveriesOf(webhook, () => true);
    await api.done('POST', `/${webhook.id}/deliveries/${delivery?.id}/replay`);
    // Once this one has come, the worker has also looked for the other.
    await api.toggle('zoe');
    await api.deliveriesOf(webhook, ([newest]) => newest?.state === 'delivered');
    answer();
    expect(await api.deliveriesOf(webhook, allDelivered(2))).toMatchObject([{ attempts: 1 }, { attempts: 1 }]);
    expect(api.receiver.received).toHaveLength(2);
  });

  it('still waits for its turn when it is replayed', async () => {
    api.receiver.behaviour = () => 500;
    const webhook = await api.create();
    await api.toggle('max');
    await api.deliveriesOf(webhook, isPutOff);
    await api.toggle('max');
    const [waiting] = await api.deliveriesOf(webhook, ([newest]) => newest?.state === 'waiting');
    const replayed = await api.done('POST', `/${webhook.id}/deliveries/${waiting?.id}/replay`);
    expect(replayed).toMatchObject({ id: waiting?.id, state: 'waiting', attempts: 0 });
  });

  it('does not delay later deliveries when it is replayed after it failed for good', async () => {
    api.receiver.behaviour = () => 500;
    const webhook = await api.create();
    await api.toggle('max');
    await api.deliveriesOf(webhook, isPutOff);
    await api.service.dataSource.query(
      `UPDATE webhook_deliveries SET state = 'failed', finished_at = now(), asked_at = now() - interval '5 days'
       WHERE subscription_id = $1`,
      [webhook.id],
    );
    const [failed] = await api.deliveriesOf(webhook, () => true);
    // The second time before its next attempt is due.
    for (const times of [2, 3]) {
      await api.done('POST', `/${webhook.id}/deliveries/${failed?.id}/replay`);
      await api.receiver.got(times);
      await api.deliveriesOf(webhook, isPutOff);
    }
    api.receiver.behaviour = ({ event }) => (event.id === failed?.id ? 500 : 204);
    await api.toggle('max');
    const deliveries = await api.deliveriesOf(webhook, ([newest]) => newest?.state === 'delivered');
    expect(deliveries.map(({ state }) => state)).toEqual(['delivered', 'pending']);
  });

  it('is attempted at once when it is replayed before its next attempt is due', async () => {
    api.receiver.behaviour = () => 500;
    const webhook = await api.create();
    await api.toggle('max');
    const [delivery] = await api.deliveriesOf(webhook, isPutOff);
    await api.service.dataSource.query(`UPDATE webhook_deliveries SET next_attempt_at = now() + interval '1 day'`);
    api.receiver.behaviour = () => 200;
    await api.done('POST', `/${webhook.id}/deliveries/${delivery?.id}/replay`);
    const [delivered] = await api.deliveriesOf(webhook, allDelivered(1));
    expect(delivered?.attempts).toBeGreaterThan(1);
  });

  it('keeps its age when it is replayed before its next attempt is due', async () => {
    api.receiver.behaviour = () => 500;
    const webhook = await api.create();
    await api.toggle('max');
    const [delivery] = await api.deliveriesOf(webhook, isPutOff);
    await api.service.dataSource.query(`UPDATE webhook_deliveries SET asked_at = now() - interval '5 days'`);
    await api.done('POST', `/${webhook.id}/deliveries/${delivery?.id}/replay`);
    const tried = await api.deliveriesOf(
      webhook,
      ([one]) => one?.attempts === 2 && (isPutOff([one]) || one.finishedAt !== null),
    );
    expect(tried).toMatchObject([{ state: 'failed', lastError: 'answered 500' }]);
  });

  it('is listed in pages, newest first, and can be filtered by state', async () => {
    const webhook = await api.create();
    for (let turn = 0; turn < 5; turn++) await api.toggle('max');
    const deliveries = await api.deliveriesOf(webhook, allDelivered(5));
    const entries = deliveries.map(({ id }) => Number(id.split('_')[2]));
    expect(entries).toEqual(entries.toSorted((a, b) => b - a));

    const found: string[] = [];
    for (let cursor = ''; ;) {
      const page = await api.done<{ deliveries: DeliveryDto[]; next: string | null }>(
        'GET',
        `/${webhook.id}/deliveries?limit=2${cursor}`,
      );
      found.push(...page.deliveries.map(({ id }) => id));
      if (page.next === null) break;
      cursor = `&cursor=${page.next}`;
    }
    expect(found).toEqual(deliveries.map(({ id }) => id));
    const first = await api.call('GET', `/${webhook.id}/deliveries?state=delivered&limit=4`);
    expect(first.headers.get('link')).toBe(
      `</api/webhooks/${webhook.id}/deliveries?state=delivered&limit=4&cursor=${found[3]}>; rel="next"`,
    );
    expect((await api.call('GET', `/${webhook.id}/deliveries`)).headers.get('link')).toBeNull();
    const ofState = async (state: string) =>
      (await api.done<{ deliveries: object[] }>('GET', `/${webhook.id}/deliveries?state=${state}`)).deliveries.length;
    expect([await ofState('delivered'), await ofState('failed'), await ofState('waiting')]).toEqual([5, 0, 0]);
  });
});
