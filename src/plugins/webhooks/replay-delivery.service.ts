import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type ChangeContext, judgeCaller, Transactions } from '../door';
import { DeliveriesReader } from './deliveries-reader';
import type { DeliveryWithBodyDto } from './dto/delivery.dto';
import { entryOfDelivery } from './delivery-id';

/**
 * Sends a finished delivery again, with the same id and a full set of attempts. A pending delivery is attempted without
 * further delay, in its turn. A replay is out of order, so no other delivery waits for it.
 */
@Injectable()
export class ReplayDeliveryService {
  constructor(
    private readonly transactions: Transactions,
    private readonly deliveries: DeliveriesReader,
  ) {}

  execute(webhookId: string, id: string, context: ChangeContext): Promise<DeliveryWithBodyDto> {
    return this.transactions.run(async (manager) => {
      await lock(manager, webhookId, id);
      await judgeCaller(manager, context);
      const { body } = await this.deliveries.get(webhookId, id, manager);
      await manager.query(
        `UPDATE webhook_deliveries SET
         replay = replay OR finished_at IS NOT NULL, state = 'pending', finished_at = NULL, next_attempt_at =
         '-infinity',
         attempts = CASE WHEN finished_at IS NULL THEN attempts ELSE 0 END,
         asked_at = CASE WHEN finished_at IS NULL THEN asked_at ELSE now() END
       WHERE subscription_id = $1 AND entry_id = $2 AND lease IS NULL AND state <> 'waiting'`,
        [webhookId, body.data.entry],
      );
      return this.deliveries.get(webhookId, id, manager);
    }, context.unit);
  }
}

/** Locks the delivery until the transaction ends. */
async function lock(manager: EntityManager, webhookId: string, id: string): Promise<void> {
  const entryId = entryOfDelivery(id, webhookId);
  if (entryId === undefined) return;
  await manager.query('SELECT FROM webhook_deliveries WHERE subscription_id = $1 AND entry_id = $2 FOR UPDATE', [
    webhookId,
    entryId,
  ]);
}
