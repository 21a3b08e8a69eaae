import { IsIn, IsOptional, IsString } from 'class-validator';
import { WEBHOOK_LIMITS } from '../limits';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { DEFAULT_PAGE_LIMIT, PageLimit } from '../../../openapi/page-limit.decorator';
import { WEBHOOK_DELIVERY_STATES, type WebhookDeliveryState } from '../webhook-types';

export class DeliveriesQueryDto {
  @ApiPropertyOptional({ description: 'Only deliveries in this state.', enum: WEBHOOK_DELIVERY_STATES })
  @IsOptional()
  @IsIn(WEBHOOK_DELIVERY_STATES)
  state?: WebhookDeliveryState;

  @PageLimit(WEBHOOK_LIMITS.deliveriesPage)
  limit: number = DEFAULT_PAGE_LIMIT;

  @ApiPropertyOptional({ description: 'The `next` of the previous page.' })
  @IsOptional()
  @IsString()
  cursor?: string;
}
