import { isBoolean, IsString } from 'class-validator';
import { declaredEvents } from '../../../contract/plugin-actions';
import { WEBHOOK_ERRORS } from '../errors';
import { WEBHOOK_LIMITS } from '../limits';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { WEBHOOK_CONTENT_TYPES, type WebhookContentType } from '../webhook-types';
import { NullableField } from '../../../server/body-field.decorators';
import type { Refusal } from '../../../server/shape.pipe';
import { isSecret } from '../signature';
import { EventList } from './event-list.decorator';

export class CreateWebhookDto {
  @ApiProperty({
    description:
      'The destination of events: an https URL on a public host; where `WEBHOOK_ALLOW_PRIVATE` is `true`, also ' +
      '`http://localhost`.',
    format: 'uri',
    maxLength: WEBHOOK_LIMITS.url,
    example: 'https://hooks.example/users',
  })
  @IsString({ context: { code: 'webhook.url_invalid', of: WEBHOOK_ERRORS } satisfies Refusal })
  url!: string;

  @ApiProperty({
    description: 'The event types to receive. Repeated ones count once.',
    enum: declaredEvents(),
    enumName: 'WebhookEventType',
    isArray: true,
    minItems: 1,
    example: ['user.status.changed', 'user.type.changed'],
  })
  @EventList()
  events!: string[];

  @ApiPropertyOptional({
    description: 'Whether it receives events.',
    type: 'boolean',
    nullable: true,
    default: true,
    example: true,
  })
  @NullableField(isBoolean)
  enabled?: boolean | null;

  @ApiPropertyOptional({
    description: 'The `Content-Type` of deliveries.',
    enum: WEBHOOK_CONTENT_TYPES,
    nullable: true,
    default: 'application/cloudevents+json',
    example: 'application/json',
  })
  @NullableField((value) => WEBHOOK_CONTENT_TYPES.some((type) => type === value))
  contentType?: WebhookContentType | null;

  @ApiPropertyOptional({
    description:
      'The key for signatures, such as that of a receiver under test: `whsec_` and 24 to 64 bytes in base64. ' +
      'Generated if absent.',
    type: 'string',
    nullable: true,
    example: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
  })
  @NullableField(isSecret)
  secret?: string | null;
}
