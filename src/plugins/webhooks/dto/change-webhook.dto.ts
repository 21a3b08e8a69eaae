import { isBoolean, IsOptional, IsString } from 'class-validator';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { LIMITS } from '../../door';
import {
  WEBHOOK_CONTENT_TYPES,
  WEBHOOK_EVENT_TYPES,
  type WebhookContentType,
  type WebhookEventType,
} from '../../../contract/webhooks';
import { NullableField } from '../../../server/body-field.decorators';
import type { Refusal } from '../../../server/shape.pipe';
import { EventList } from './event-list.decorator';

/** Fields that are missing or null stay as they are. */
export class ChangeWebhookDto {
  @ApiPropertyOptional({
    description:
      'The destination of events: an https URL on a public host; where `WEBHOOK_ALLOW_PRIVATE` is `true`, also ' +
      '`http://localhost`.',
    type: 'string',
    nullable: true,
    format: 'uri',
    maxLength: LIMITS.webhookUrl,
    example: 'https://hooks.example/users',
  })
  @IsOptional()
  @IsString({ context: { code: 'webhook.url_invalid' } satisfies Refusal })
  url?: string | null;

  @ApiPropertyOptional({
    description: 'The event types to receive from now on.',
    enum: WEBHOOK_EVENT_TYPES,
    enumName: 'WebhookEventType',
    isArray: true,
    nullable: true,
    minItems: 1,
    example: ['user.status.changed'],
  })
  @IsOptional()
  @EventList()
  events?: WebhookEventType[] | null;

  @ApiPropertyOptional({
    description: 'Whether it receives events.',
    type: 'boolean',
    nullable: true,
    example: true,
  })
  @NullableField(isBoolean)
  enabled?: boolean | null;

  @ApiPropertyOptional({
    description: 'The `Content-Type` of deliveries.',
    enum: WEBHOOK_CONTENT_TYPES,
    nullable: true,
    example: 'application/json',
  })
  @NullableField((value) => WEBHOOK_CONTENT_TYPES.some((type) => type === value))
  contentType?: WebhookContentType | null;
}
