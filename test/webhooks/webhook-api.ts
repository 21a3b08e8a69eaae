import type { JournalPageDto } from '../../src/journal/dto/journal-page.dto';
import { declaredEvents } from '../../src/contract/plugin-actions';
import type { DeliveryDto } from '../../src/plugins/webhooks/dto/delivery.dto';
import type { WebhookDto, WebhookWithSecretDto } from '../../src/plugins/webhooks/dto/webhook.dto';
import { type Answer, ask, manageStatus } from '../support/ask';
import { writeSmallDirectory } from '../support/small-directory';
import { useTestService, type TestService } from '../support/test-service';
import { Receiver } from './receiver';

/** The service with a small directory, Ada's calls of `/api/webhooks`, and a receiver of webhooks, new for each test. */
export class WebhookApi {
  receiver!: Receiver;

  private constructor(readonly service: TestService) {}

  /** For all tests of a file. Each test begins with the small directory, and with a receiver and no webhook. */
  static forEachTest(): WebhookApi {
    const api = new WebhookApi(useTestService({ environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } }));
    beforeEach(async () => {
      api.receiver = await Receiver.open();
      await writeSmallDirectory(api.service);
    });
    afterEach(async () => {
      await api.service.dataSource.query('DELETE FROM webhook_subscriptions');
      await api.receiver.close();
    });
    return api;
  }

  call(method: string, path: string, body?: unknown, headers: object = {}): Promise<Answer> {
    return ask(`${this.service.url}/api/webhooks${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.service.tokenOf('ada')}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  }

  /** The body of the answer to a call that must succeed. */
  async done<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.call(method, path, body);
    expect(answer).toMatchObject({ status: method === 'POST' && path === '' ? 201 : 200 });
    return JSON.parse(answer.text) as T;
  }

  create(events: readonly string[] = declaredEvents(), url = this.receiver.url): Promise<WebhookWithSecretDto> {
    return this.done('POST', '', { url, events });
  }

  /** The newest entries of the journal. */
  async newestEntries(count: number): Promise<{ action: string; actor: string; before: unknown; after: unknown }[]> {
    const answer = await ask(`${this.service.url}/api/journal?limit=${count}`, {
      headers: { authorization: `Bearer ${this.service.tokenOf('ada')}` },
    });
    return (JSON.parse(answer.text) as JournalPageDto).entries.map(({ action, actor, before, after }) => ({
      action,
      actor: actor.id,
      before,
      after,
    }));
  }

  /** Deactivates an active user, and activates an inactive one. */
  async toggle(user: string): Promise<void> {
    const token = this.service.tokenOf('ada');
    expect((await manageStatus(this.service, token, { id: user, token })).status).toBe(200);
  }

  /** The deliveries of a webhook, once they fulfil a condition. */
  async deliveriesOf({ id }: WebhookDto, fulfil: (deliveries: DeliveryDto[]) => boolean): Promise<DeliveryDto[]> {
    for (;;) {
      const { deliveries } = await this.done<{ deliveries: DeliveryDto[] }>('GET', `/${id}/deliveries`);
      if (fulfil(deliveries)) return deliveries;
    }
  }
}

export const allDelivered = (count: number) => (deliveries: DeliveryDto[]) =>
  deliveries.length === count && deliveries.every(({ state }) => state === 'delivered');

/** The newest delivery has failed once, and its next attempt has a time. */
export const isPutOff = ([first]: DeliveryDto[]) => first?.lastStatus === 500 && first.nextAttemptAt !== null;
