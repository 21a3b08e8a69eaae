import { declaredEvents } from '../../../contract/plugin-actions';
import { ApiProperty } from '@nestjs/swagger';
import { WEBHOOK_DELIVERY_STATES, type WebhookDeliveryState, type WebhookEvent } from '../webhook-types';

const ID = 'msg_01940000-0000-7000-8000-000000000000_42';
const moment = { type: 'string', format: 'date-time' } as const;

export class DeliveryDto {
  @ApiProperty({ example: ID, description: 'The `webhook-id` of every attempt.' })
  id!: string;

  @ApiProperty({ enum: declaredEvents(), enumName: 'WebhookEventType', example: 'user.status.changed' })
  event!: string;

  @ApiProperty({ type: String, nullable: true, example: 'dee', description: 'The changed user.' })
  user!: string | null;

  @ApiProperty({
    enum: WEBHOOK_DELIVERY_STATES,
    example: 'pending',
    description: [
      '- `pending`: scheduled, or being sent',
      '- `waiting`: an earlier delivery about the same user must finish first',
      '- `delivered`: answered with success',
      '- `failed`: given up',
    ].join('\n'),
  })
  state!: WebhookDeliveryState;

  @ApiProperty({ type: 'integer', example: 1, description: 'Attempts since its creation or last replay.' })
  attempts!: number;

  @ApiProperty({ ...moment, example: '2030-01-01T12:00:00.000Z' })
  createdAt!: string;

  @ApiProperty({ ...moment, nullable: true, example: '2030-01-01T12:00:01.000Z' })
  lastAttemptAt!: string | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 503, description: 'The HTTP status of the last answer.' })
  lastStatus!: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'answered 503',
    description: 'The error of the last attempt.',
  })
  lastError!: string | null;

  @ApiProperty({
    ...moment,
    nullable: true,
    example: '2030-01-01T12:00:05.000Z',
    description: 'When the next attempt is due.',
  })
  nextAttemptAt!: string | null;

  @ApiProperty({ ...moment, nullable: true, example: null })
  finishedAt!: string | null;
}

export class DeliveryWithBodyDto extends DeliveryDto {
  @ApiProperty({ $ref: '#/components/schemas/WebhookEvent' } as object)
  body!: WebhookEvent;
}

export class DeliveriesPageDto {
  @ApiProperty({ type: [DeliveryDto], description: 'Newest first.' })
  deliveries!: DeliveryDto[];

  @ApiProperty({
    type: String,
    nullable: true,
    example: ID,
    description: 'The `cursor` of the next page; null on the last page.',
  })
  next!: string | null;
}
