import { Controller, Get, Param, Post, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { AdminGuard } from '../auth/admin.guard';
import type { Once } from '../database/transactions';
import { Endpoint } from '../http/endpoint.decorator';
import { ShapedQuery } from '../http/shaped.decorators';
import { CurrentOnce } from '../idempotency/current-once.decorator';
import { DeliveriesReader } from './deliveries-reader';
import { entryIn } from './delivery-id';
import { DeliveriesPageDto, DeliveryWithBodyDto } from './dto/delivery.dto';
import { DeliveriesQueryDto } from './dto/deliveries-query.dto';
import { ReplayDeliveryService } from './replay-delivery.service';
import { GET_DELIVERY, LIST_DELIVERIES, REPLAY_DELIVERY } from './webhooks.documentation';

@Controller('api/webhooks/:id/deliveries')
@ApiTags('Webhooks')
@UseGuards(AdminGuard)
export class WebhookDeliveriesController {
  constructor(
    private readonly deliveries: DeliveriesReader,
    private readonly replay: ReplayDeliveryService,
  ) {}

  @Get()
  @ApiOkResponse({ description: 'One page.', type: DeliveriesPageDto })
  @Endpoint(LIST_DELIVERIES)
  async listWebhookDeliveries(
    @Param('id') id: string,
    @ShapedQuery() { state, limit, cursor }: DeliveriesQueryDto,
  ): Promise<DeliveriesPageDto> {
    const { deliveries, more } = await this.deliveries.page(id, { state, limit, before: cursor && entryIn(cursor) });
    return { deliveries, next: more ? (deliveries.at(-1)?.id ?? null) : null };
  }

  @Get(':deliveryId')
  @ApiOkResponse({ description: 'What became of it, and what it delivers.', type: DeliveryWithBodyDto })
  @Endpoint(GET_DELIVERY)
  getWebhookDelivery(@Param('id') id: string, @Param('deliveryId') deliveryId: string): Promise<DeliveryWithBodyDto> {
    return this.deliveries.get(id, deliveryId);
  }

  @Post(':deliveryId/replay')
  @ApiOkResponse({ description: 'It is tried again.', type: DeliveryWithBodyDto })
  @Endpoint(REPLAY_DELIVERY)
  replayWebhookDelivery(
    @Param('id') id: string,
    @Param('deliveryId') deliveryId: string,
    @CurrentOnce() once?: Once,
  ): Promise<DeliveryWithBodyDto> {
    return this.replay.execute(id, deliveryId, once);
  }
}
