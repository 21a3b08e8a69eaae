import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CONFIG, type Config, DatabaseStartup, HealthModule, JournalModule, Sealer, Transactions } from '../door';
import { settingsOf } from '../plugin';
import { RequestsUnderWay } from '@user-administration/http';
import { ChangeWebhookService } from './change-webhook.service';
import { CreateWebhookService } from './create-webhook.service';
import { DeleteWebhookService } from './delete-webhook.service';
import { DeliveriesReader } from './deliveries-reader';
import { DeliveryBacklog } from './delivery-backlog';
import { DeliveryMetrics } from './delivery-metrics';
import { DELIVERY_POLICY } from './delivery-policy';
import { DeliveryQueue } from './delivery-queue';
import { DeliveryWorker } from './delivery-worker';
import { Destinations } from './destinations';
import { ReplayDeliveryService } from './replay-delivery.service';
import { RotateSecretService } from './rotate-secret.service';
import { WebhookDeliveriesController } from './webhook-deliveries.controller';
import { WebhookSender } from './webhook-sender';
import { WebhookSubscription } from './webhook-subscription.entity';
import { WebhooksController } from './webhooks.controller';
import { WEBHOOK_SETTINGS } from './settings';
import { WebhooksReader } from './webhooks-reader';

/** Notifies other systems of changes. It depends on the journal alone: every journal entry is delivered. */
@Module({
  imports: [HealthModule, JournalModule, TypeOrmModule.forFeature([WebhookSubscription])],
  controllers: [WebhooksController, WebhookDeliveriesController],
  providers: [
    ChangeWebhookService,
    CreateWebhookService,
    DeleteWebhookService,
    DeliveriesReader,
    DeliveryBacklog,
    DeliveryMetrics,
    DeliveryQueue,
    ReplayDeliveryService,
    RotateSecretService,
    WebhooksReader,
    {
      provide: Destinations,
      inject: [CONFIG],
      useFactory: (config: Config) => new Destinations(settingsOf(config, WEBHOOK_SETTINGS).allowPrivate),
    },
    {
      provide: DeliveryWorker,
      inject: [Transactions, DatabaseStartup, DeliveryQueue, Destinations, Sealer, RequestsUnderWay],
      useFactory: (
        transactions: Transactions,
        connection: DatabaseStartup,
        queue: DeliveryQueue,
        destinations: Destinations,
        sealer: Sealer,
        requests: RequestsUnderWay,
      ) => {
        const sender = new WebhookSender(destinations, DELIVERY_POLICY.timeoutMs);
        const ready = () => connection.ready();
        const worker = new DeliveryWorker({ transactions, ready, queue, sender, policy: DELIVERY_POLICY });
        sealer.onNews(() => worker.hint());
        // A replay is in no journal.
        requests.observeChanges(() => worker.hint());
        return worker;
      },
    },
  ],
})
export class WebhooksModule {}
