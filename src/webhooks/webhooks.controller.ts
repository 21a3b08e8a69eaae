import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { IfMatch } from '../answers/if-match.decorator';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '../openapi/documentation.decorators';
import { AnswersCreated, AnswersRecord } from '../openapi/record-answers.decorators';
import { AdministratorEndpoint } from '../auth/administrator-endpoint.decorator';
import { CurrentAttribution } from '../auth/current-attribution.decorator';
import { DeleteEndpoint, ReadEndpoint } from '../auth/record-endpoints.decorators';
import type { IdempotentUnit } from '../database/transactions';
import { ValidatedBody } from '../server/validated.decorators';
import { CurrentIdempotentUnit } from '../idempotency/current-idempotent-unit.decorator';
import type { Attribution } from '../contract/attribution';
import { ChangeWebhookService } from './change-webhook.service';
import { CreateWebhookService } from './create-webhook.service';
import { DeleteWebhookService } from './delete-webhook.service';
import { ChangeWebhookDto } from './dto/change-webhook.dto';
import { CreateWebhookDto } from './dto/create-webhook.dto';
import { WebhookDto, WebhookListDto, WebhookWithSecretDto } from './dto/webhook.dto';
import { RotateSecretService } from './rotate-secret.service';
import {
  CHANGE_WEBHOOK,
  CREATE_WEBHOOK,
  DELETE_WEBHOOK,
  GET_WEBHOOK,
  LIST_WEBHOOKS,
  ROTATE_SECRET,
} from './webhooks.documentation';
import { WebhooksReader } from './webhooks-reader';

@Controller('api/webhooks')
@ApiTags('Webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksReader,
    private readonly creation: CreateWebhookService,
    private readonly change: ChangeWebhookService,
    private readonly deletion: DeleteWebhookService,
    private readonly rotation: RotateSecretService,
  ) {}

  @Post()
  @AnswersCreated()
  @ApiCreatedResponse({ description: 'Registered.', type: WebhookWithSecretDto })
  @AdministratorEndpoint(CREATE_WEBHOOK)
  createWebhook(
    @ValidatedBody() body: CreateWebhookDto,
    @CurrentAttribution() attribution: Attribution,
    @CurrentIdempotentUnit() unit?: IdempotentUnit,
  ): Promise<WebhookWithSecretDto> {
    return this.creation.execute(body, attribution, unit);
  }

  @Get()
  @ApiOkResponse({ description: 'All webhooks.', type: WebhookListDto })
  @AdministratorEndpoint(LIST_WEBHOOKS)
  async listWebhooks(): Promise<WebhookListDto> {
    return { webhooks: await this.webhooks.list() };
  }

  @Get(':id')
  @ReadEndpoint(GET_WEBHOOK, WebhookDto, 'webhook')
  getWebhook(@Param('id') id: string): Promise<WebhookDto> {
    return this.webhooks.get(id);
  }

  @Patch(':id')
  @AnswersRecord()
  @ApiOkResponse({ description: 'The webhook as it is now.', type: WebhookDto })
  @AdministratorEndpoint(CHANGE_WEBHOOK)
  changeWebhook(
    @Param('id') id: string,
    @ValidatedBody() body: ChangeWebhookDto,
    @CurrentAttribution() attribution: Attribution,
    @IfMatch() ifMatch?: string,
  ): Promise<WebhookDto> {
    return this.change.execute(id, body, attribution, ifMatch);
  }

  @Delete(':id')
  @DeleteEndpoint(DELETE_WEBHOOK)
  deleteWebhook(
    @Param('id') id: string,
    @CurrentAttribution() attribution: Attribution,
    @IfMatch() ifMatch?: string,
  ): Promise<void> {
    return this.deletion.execute(id, attribution, ifMatch);
  }

  @Post(':id/secret')
  @ApiOkResponse({ description: 'The webhook with its new secret.', type: WebhookWithSecretDto })
  @AdministratorEndpoint(ROTATE_SECRET)
  rotateWebhookSecret(
    @Param('id') id: string,
    @CurrentAttribution() attribution: Attribution,
    @CurrentIdempotentUnit() unit?: IdempotentUnit,
  ): Promise<WebhookWithSecretDto> {
    return this.rotation.execute(id, attribution, unit);
  }
}
