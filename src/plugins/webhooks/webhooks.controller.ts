import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiConsumes, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import {
  AdministratorEndpoint,
  type ChangeContext,
  CreateEndpoint,
  CurrentChange,
  DeleteEndpoint,
  ReadEndpoint,
  ValidatedBody,
  ValidatedObject,
} from '../door';
import { AnswersRecord } from '../../openapi/record-answers.decorators';
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
  @CreateEndpoint(CREATE_WEBHOOK, WebhookWithSecretDto)
  createWebhook(
    @ValidatedBody() body: CreateWebhookDto,
    @CurrentChange() context: ChangeContext,
  ): Promise<WebhookWithSecretDto> {
    return this.creation.execute(body, context);
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
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @AnswersRecord()
  @ApiOkResponse({ description: 'The webhook as it is now.', type: WebhookDto })
  @AdministratorEndpoint(CHANGE_WEBHOOK)
  changeWebhook(
    @Param('id') id: string,
    @ValidatedObject() body: ChangeWebhookDto,
    @CurrentChange() context: ChangeContext,
  ): Promise<WebhookDto> {
    return this.change.execute(id, body, context);
  }

  @Delete(':id')
  @DeleteEndpoint(DELETE_WEBHOOK)
  deleteWebhook(@Param('id') id: string, @CurrentChange() context: ChangeContext): Promise<void> {
    return this.deletion.execute(id, context);
  }

  @Post(':id/secret')
  @AnswersRecord()
  @ApiOkResponse({ description: 'The webhook with its new secret.', type: WebhookWithSecretDto })
  @AdministratorEndpoint(ROTATE_SECRET)
  rotateWebhookSecret(@Param('id') id: string, @CurrentChange() context: ChangeContext): Promise<WebhookWithSecretDto> {
    return this.rotation.execute(id, context);
  }
}
