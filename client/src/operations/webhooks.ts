import type { CallOptions, ConditionalOptions, PostOptions } from '../client-options.ts';
import { namesOf } from '../calls/known-names.ts';
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
import type { Stored } from '../types/directory.ts';
import { pageOf, type Pages, pagesOf } from './pages.ts';
import { deleteAt, stored, updateAt } from './records.ts';

export type Webhook = WebhookDto;
export type WebhookWithSecret = WebhookWithSecretDto;
export type Delivery = DeliveryDto;
export type DeliveryWithBody = DeliveryWithBodyDto;
/** The filter and the page size of a list of deliveries. */
export type DeliveryFilter = NonNullable<ListWebhookDeliveriesData['query']>;

const PATH = '/api/webhooks/{id}';
const FILTERS = namesOf<DeliveryFilter>({ state: true, limit: true, cursor: true });

/** Manages webhooks. To receive their deliveries, use `WebhookReceiver` of `@user-administration/client/webhooks`. */
export class Webhooks {
  constructor(private readonly service: Service) {}

  /** Lists all webhooks, oldest first, without their secrets. */
  async list(options?: CallOptions): Promise<Webhook[]> {
    const answer = await this.service.ask<WebhookListDto>({ method: 'GET', path: '/api/webhooks' }, options);
    return pageOf<Webhook>(answer, 'webhooks').items;
  }

  /** Reads one webhook, without its secret. */
  async get(id: string, options?: CallOptions): Promise<Stored<Webhook>> {
    return stored(await this.service.call({ method: 'GET', path: PATH, params: { id } }, options));
  }

  /**
   * Creates a webhook. Only this answer contains the secret.
   *
   * @example const { secret } = await client.webhooks.create({ url: 'https://hooks.example/users', events: ['user.status.changed'] });
   * @throws UserAdministrationError such as `webhook.url_invalid`
   */
  async create(body: CreateWebhookData['body'], options?: PostOptions): Promise<Stored<WebhookWithSecret>> {
    return stored(await this.service.call({ method: 'POST', path: '/api/webhooks', body }, options));
  }

  /** Changes the given fields. Without `ifMatch`, it is not retried after a broken connection. */
  async update(
    id: string,
    body: ChangeWebhookData['body'],
    options: ConditionalOptions = {},
  ): Promise<Stored<Webhook>> {
    return updateAt(this.service, PATH, id, body, options);
  }

  /** Deletes a webhook. Its pending deliveries are not sent. */
  async delete(id: string, options: ConditionalOptions = {}): Promise<void> {
    await deleteAt(this.service, PATH, id, options);
  }

  /** Replaces the secret, and returns the new one. Deliveries are signed with both secrets for 24 hours. */
  async rotateSecret(id: string, options: PostOptions & ConditionalOptions = {}): Promise<Stored<WebhookWithSecret>> {
    const request = { method: 'POST', path: `${PATH}/secret`, params: { id } } as const;
    const headers = { 'if-match': options.ifMatch };
    return stored(await this.service.call({ ...request, headers, options: ['ifMatch'] }, options));
  }

  /** Lists the deliveries of a webhook page by page, newest first. */
  deliveries(id: string, filter: DeliveryFilter = {}, options?: CallOptions): Pages<Delivery> {
    const request = { path: `${PATH}/deliveries`, params: { id }, query: filter, filters: FILTERS };
    return pagesOf(this.service, request, 'deliveries', options);
  }

  /** Reads one delivery with its body. */
  delivery(id: string, deliveryId: string, options?: CallOptions): Promise<DeliveryWithBody> {
    const path = `${PATH}/deliveries/{deliveryId}`;
    return this.service.ask({ method: 'GET', path, params: { id, deliveryId } }, options);
  }

  /** Sends a finished delivery again, with the same `webhook-id`; a pending one without further delay. */
  replay(id: string, deliveryId: string, options?: PostOptions): Promise<DeliveryWithBody> {
    const path = `${PATH}/deliveries/{deliveryId}/replay`;
    return this.service.ask({ method: 'POST', path, params: { id, deliveryId } }, options);
  }
}
