import { Controller, Delete, Get, Param, Patch, Post, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { AdminGuard } from '../auth/admin.guard';
import { CurrentAct } from '../auth/current-act.decorator';
import { Endpoint } from '../http/endpoint.decorator';
import type { Once } from '../database/transactions';
import { ShapedBody } from '../http/shaped.decorators';
import { CurrentOnce } from '../idempotency/current-once.decorator';
import type { Act } from '../journal/act';
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
@UseGuards(AdminGuard)
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksReader,
    private readonly creation: CreateWebhookService,
    private readonly change: ChangeWebhookService,
    private readonly deletion: DeleteWebhookService,
    private readonly rotation: RotateSecretService,
  ) {}

  @Post()
  @ApiOkResponse({ description: 'Registered.', type: WebhookWithSecretDto })
  @Endpoint(CREATE_WEBHOOK)
  createWebhook(
    @ShapedBody() body: CreateWebhookDto,
    @CurrentAct() act: Act,
    @CurrentOnce() once?: Once,
  ): Promise<WebhookWithSecretDto> {
    return this.creation.execute(body, act, once);
  }

  @Get()
  @ApiOkResponse({ description: 'All of them.', type: WebhookListDto })
  @Endpoint(LIST_WEBHOOKS)
  async listWebhooks(): Promise<WebhookListDto> {
    return { webhooks: await this.webhooks.list() };
  }

  @Get(':id')
  @ApiOkResponse({ description: 'As it is now.', type: WebhookDto })
  @Endpoint(GET_WEBHOOK)
  getWebhook(@Param('id') id: string): Promise<WebhookDto> {
    return this.webhooks.get(id);
  }

  @Patch(':id')
  @ApiOkResponse({ description: 'As it is after the change.', type: WebhookDto })
  @Endpoint(CHANGE_WEBHOOK)
  changeWebhook(
    @Param('id') id: string,
    @ShapedBody() body: ChangeWebhookDto,
    @CurrentAct() act: Act,
  ): Promise<WebhookDto> {
    return this.change.execute(id, body, act);
  }

  @Delete(':id')
  @ApiOkResponse({ description: 'As it was.', type: WebhookDto })
  @Endpoint(DELETE_WEBHOOK)
  deleteWebhook(@Param('id') id: string, @CurrentAct() act: Act): Promise<WebhookDto> {
    return this.deletion.execute(id, act);
  }

  @Post(':id/secret')
  @ApiOkResponse({ description: 'With its new secret.', type: WebhookWithSecretDto })
  @Endpoint(ROTATE_SECRET)
  rotateWebhookSecret(
    @Param('id') id: string,
    @CurrentAct() act: Act,
    @CurrentOnce() once?: Once,
  ): Promise<WebhookWithSecretDto> {
    return this.rotation.execute(id, act, once);
  }
}
