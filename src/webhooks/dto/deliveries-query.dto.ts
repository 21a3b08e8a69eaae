import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, Max, Min, ValidateBy } from 'class-validator';
import { ApiPropertyOptional } from '../../openapi/documentation.decorators';
import { LIMITS } from '../../contract/limits';
import { WEBHOOK_DELIVERY_STATES, type WebhookDelivery } from '../../contract/webhooks';
import { entryIn } from '../delivery-id';

const DEFAULT_LIMIT = 50;
const isCursor = (value: unknown) => typeof value === 'string' && entryIn(value) !== undefined;

export class DeliveriesQueryDto {
  @ApiPropertyOptional({ description: 'Only deliveries in this state.', enum: WEBHOOK_DELIVERY_STATES })
  @IsOptional()
  @IsIn(WEBHOOK_DELIVERY_STATES)
  state?: WebhookDelivery['state'];

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: LIMITS.webhookDeliveriesPage,
    default: DEFAULT_LIMIT,
    description: 'The number of deliveries on a page.',
  })
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
  )
  @IsInt()
  @Min(1)
  @Max(LIMITS.webhookDeliveriesPage)
  limit: number = DEFAULT_LIMIT;

  @ApiPropertyOptional({ type: String, description: 'The `next` of the previous page.' })
  @IsOptional()
  @ValidateBy({ name: 'isCursor', validator: { validate: isCursor } })
  cursor?: string;
}
