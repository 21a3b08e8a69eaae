import { isBoolean, IsString } from 'class-validator';
import { ApiProperty, ApiPropertyOptional } from '../../openapi/documentation.decorators';
import { LIMITS } from '../../contract/limits';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../../contract/webhooks';
import { NullableField } from '../../server/body-field.decorators';
import type { Refusal } from '../../server/shape.pipe';
import { EventList } from './event-list.decorator';

export class CreateWebhookDto {
  @ApiProperty({
    description: 'The destination of events: an https URL on a public host.',
    format: 'uri',
    maxLength: LIMITS.webhookUrl,
    example: 'https://hooks.example/users',
  })
  @IsString({ context: { code: 'webhook.url_invalid' } satisfies Refusal })
  url!: string;

  @ApiProperty({
    description: 'The event types to receive. Repeated ones count once.',
    enum: WEBHOOK_EVENT_TYPES,
    enumName: 'WebhookEventType',
    isArray: true,
    minItems: 1,
    example: ['user.status.changed', 'user.type.changed'],
  })
  @EventList()
  events!: WebhookEventType[];

  @ApiPropertyOptional({
    description: 'Whether it receives events.',
    type: 'boolean',
    nullable: true,
    default: true,
    example: true,
  })
  @NullableField(isBoolean)
  enabled?: boolean | null;
}
