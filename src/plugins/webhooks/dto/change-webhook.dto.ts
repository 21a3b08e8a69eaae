import { isBoolean, IsOptional, IsString } from 'class-validator';
import { declaredEvents } from '../../../contract/plugin-actions';
import { WEBHOOK_ERRORS } from '../errors';
import { WEBHOOK_LIMITS } from '../limits';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { WEBHOOK_CONTENT_TYPES, type WebhookContentType } from '../webhook-types';
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
    maxLength: WEBHOOK_LIMITS.url,
    example: 'https://hooks.example/users',
  })
  @IsOptional()
  @IsString({ context: { code: 'webhook.url_invalid', of: WEBHOOK_ERRORS } satisfies Refusal })
  url?: string | null;

  @ApiPropertyOptional({
    description: 'The event types to receive from now on.',
    enum: declaredEvents(),
    enumName: 'WebhookEventType',
    isArray: true,
    nullable: true,
    minItems: 1,
    example: ['user.status.changed'],
  })
  @IsOptional()
  @EventList()
  events?: string[] | null;

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
