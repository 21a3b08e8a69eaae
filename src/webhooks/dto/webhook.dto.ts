import { ApiProperty } from '@nestjs/swagger';
import {
  type Webhook,
  WEBHOOK_DISABLED_REASONS,
  WEBHOOK_EVENT_TYPES,
  type WebhookWithSecret,
} from '../../contract/webhooks';

export class WebhookDto implements Webhook {
  @ApiProperty({ example: '01940000-0000-7000-8000-000000000000' })
  id!: string;

  @ApiProperty({ example: 'https://hooks.example/users' })
  url!: string;

  @ApiProperty({
    enum: WEBHOOK_EVENT_TYPES,
    enumName: 'WebhookEventType',
    isArray: true,
    example: ['user.status.changed', 'user.type.changed'],
  })
  events!: Webhook['events'];

  @ApiProperty({ description: 'Whether it is told anything.', example: true })
  enabled!: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    enum: [...WEBHOOK_DISABLED_REASONS, null],
    example: null,
    description: 'Why it is told nothing: an administrator wants it so, or its address answered 410 (Gone).',
  })
  disabledReason!: Webhook['disabledReason'];

  @ApiProperty({ format: 'date-time', example: '2030-01-01T12:00:00.000Z' })
  createdAt!: string;

  @ApiProperty({ format: 'date-time', example: '2030-01-01T12:00:00.000Z' })
  updatedAt!: string;
}

export class WebhookWithSecretDto extends WebhookDto implements WebhookWithSecret {
  @ApiProperty({
    description: 'What it verifies signatures with. It is told here, and never again.',
    example: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
  })
  secret!: string;
}

export class WebhookListDto {
  @ApiProperty({ type: [WebhookDto], description: 'The oldest first.' })
  webhooks!: Webhook[];
}
