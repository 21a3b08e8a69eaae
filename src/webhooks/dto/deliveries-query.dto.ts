import { IsIn, IsOptional, ValidateBy } from 'class-validator';
import { ApiPropertyOptional } from '../../openapi/documentation.decorators';
import { LIMITS } from '../../contract/limits';
import { WEBHOOK_DELIVERY_STATES, type WebhookDeliveryState } from '../../contract/webhooks';
import { IsWholeNumber } from '../../server/query-value.decorators';
import { entryIn } from '../delivery-id';

const DEFAULT_LIMIT = 50;
const isCursor = (value: unknown) => typeof value === 'string' && entryIn(value) !== undefined;

export class DeliveriesQueryDto {
  @ApiPropertyOptional({ description: 'Only deliveries in this state.', enum: WEBHOOK_DELIVERY_STATES })
  @IsOptional()
  @IsIn(WEBHOOK_DELIVERY_STATES)
  state?: WebhookDeliveryState;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: LIMITS.webhookDeliveriesPage,
    default: DEFAULT_LIMIT,
    description: 'The number of deliveries on a page.',
  })
  @IsWholeNumber(1, LIMITS.webhookDeliveriesPage)
  limit: number = DEFAULT_LIMIT;

  @ApiPropertyOptional({ type: String, description: 'The `next` of the previous page.' })
  @IsOptional()
  @ValidateBy({ name: 'isCursor', validator: { validate: isCursor } })
  cursor?: string;
}
