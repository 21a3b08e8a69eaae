import type { CallOptions, PostOptions } from '../client-options.ts';
import type { Service } from '../calls/service.ts';
import type {
  ChangeWebhookData,
  CreateWebhookData,
  DeliveryDto,
  DeliveryWithBodyDto,
  ListWebhookDeliveriesData,
  WebhookDto,
  WebhookListDto,
  WebhookWithSecretDto,
} from '../generated/types.gen.ts';
import { pageOf, Pages } from './pages.ts';

export type Webhook = WebhookDto;
export type WebhookWithSecret = WebhookWithSecretDto;
export type Delivery = DeliveryDto;
export type DeliveryWithBody = DeliveryWithBodyDto;

const PATH = '/api/webhooks/{id}';

/** Subscriptions to events. What receives them is in `user-administration-client/webhooks`. */
export class Webhooks {
  constructor(private readonly service: Service) {}

  async list(options?: CallOptions): Promise<Webhook[]> {
    const answer = await this.service.ask<WebhookListDto>({ method: 'GET', path: '/api/webhooks' }, options);
    return pageOf<Webhook>(answer, 'webhooks').items;
  }

  get(id: string, options?: CallOptions): Promise<Webhook> {
    return this.service.ask({ method: 'GET', path: PATH, params: { id } }, options);
  }

  /** The answer alone has the secret. */
  create(body: CreateWebhookData['body'], options?: PostOptions): Promise<WebhookWithSecret> {
    return this.service.ask({ method: 'POST', path: '/api/webhooks', body }, options);
  }

  update(id: string, body: ChangeWebhookData['body'], options?: CallOptions): Promise<Webhook> {
    return this.service.ask({ method: 'PATCH', path: PATH, params: { id }, body }, options);
  }

  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.service.call({ method: 'DELETE', path: PATH, params: { id } }, options);
  }

  /** Gives it a new secret. The old one is good for another 24 hours. */
  rotateSecret(id: string, options?: PostOptions): Promise<WebhookWithSecret> {
    return this.service.ask({ method: 'POST', path: `${PATH}/secret`, params: { id } }, options);
  }

  /** What was sent, the newest first, page by page. */
  deliveries(id: string, filter: ListWebhookDeliveriesData['query'] = {}, options?: CallOptions): Pages<Delivery> {
    const { cursor: first, ...query } = filter;
    const request = { method: 'GET', path: `${PATH}/deliveries`, params: { id } } as const;
    return new Pages(async (cursor = first) =>
      pageOf(await this.service.ask({ ...request, query: { ...query, cursor } }, options), 'deliveries'),
    );
  }

  delivery(id: string, deliveryId: string, options?: CallOptions): Promise<DeliveryWithBody> {
    const path = `${PATH}/deliveries/{deliveryId}`;
    return this.service.ask({ method: 'GET', path, params: { id, deliveryId } }, options);
  }

  /** Sends it again. */
  replay(id: string, deliveryId: string, options?: PostOptions): Promise<DeliveryWithBody> {
    const path = `${PATH}/deliveries/{deliveryId}/replay`;
    return this.service.ask({ method: 'POST', path, params: { id, deliveryId } }, options);
  }
}
