import { declaredEvents } from '../../../contract/plugin-actions';
import { ApiProperty } from '@nestjs/swagger';
import {
  WEBHOOK_CONTENT_TYPES,
  WEBHOOK_DISABLED_REASONS,
  type WebhookContentType,
  type WebhookDisabledReason,
} from '../webhook-types';

export class WebhookDto {
  @ApiProperty({ example: '01940000-0000-7000-8000-000000000000' })
  id!: string;

  @ApiProperty({ example: 'https://hooks.example/users' })
  url!: string;

  @ApiProperty({
    enum: declaredEvents(),
    enumName: 'WebhookEventType',
    isArray: true,
    example: ['user.status.changed', 'user.type.changed'],
  })
  events!: string[];

  @ApiProperty({ description: 'Whether it receives events.', example: true })
  enabled!: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    enum: [...WEBHOOK_DISABLED_REASONS, null],
    example: null,
    description: 'Why it is disabled: by an administrator, or because its URL answered 410 (Gone).',
  })
  disabledReason!: WebhookDisabledReason | null;

  @ApiProperty({
    enum: WEBHOOK_CONTENT_TYPES,
    description: 'The `Content-Type` of deliveries.',
    example: 'application/cloudevents+json',
  })
  contentType!: WebhookContentType;

  @ApiProperty({ format: 'date-time', example: '2030-01-01T12:00:00.000Z' })
  createdAt!: string;

  @ApiProperty({ format: 'date-time', example: '2030-01-01T12:00:00.000Z' })
  updatedAt!: string;
}

export class WebhookWithSecretDto extends WebhookDto {
  @ApiProperty({
    description: 'The key for verifying signatures. No other answer contains it.',
    example: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
  })
  secret!: string;
}

export class WebhookListDto {
  @ApiProperty({ type: [WebhookDto], description: 'Oldest first.' })
  webhooks!: WebhookDto[];
}
