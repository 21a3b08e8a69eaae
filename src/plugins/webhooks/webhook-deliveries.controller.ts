import { Controller, Get, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { AdministratorEndpoint, type ChangeContext, CurrentChange, ListEndpoint, ValidatedQuery } from '../door';
import { DeliveriesReader } from './deliveries-reader';
import { DeliveriesPageDto, DeliveryWithBodyDto } from './dto/delivery.dto';
import { DeliveriesQueryDto } from './dto/deliveries-query.dto';
import { ReplayDeliveryService } from './replay-delivery.service';
import { GET_DELIVERY, LIST_DELIVERIES, REPLAY_DELIVERY } from './webhooks.documentation';

@Controller('api/webhooks/:id/deliveries')
@ApiTags('Webhooks')
export class WebhookDeliveriesController {
  constructor(
    private readonly deliveries: DeliveriesReader,
    private readonly replay: ReplayDeliveryService,
  ) {}

  @Get()
  @ListEndpoint(LIST_DELIVERIES, DeliveriesPageDto)
  listWebhookDeliveries(
    @Param('id') id: string,
    @ValidatedQuery() query: DeliveriesQueryDto,
  ): Promise<DeliveriesPageDto> {
    return this.deliveries.page(id, query);
  }

  @Get(':deliveryId')
  @ApiOkResponse({ description: 'The delivery with its body.', type: DeliveryWithBodyDto })
  @AdministratorEndpoint(GET_DELIVERY)
  getWebhookDelivery(@Param('id') id: string, @Param('deliveryId') deliveryId: string): Promise<DeliveryWithBodyDto> {
    return this.deliveries.get(id, deliveryId);
  }

  @Post(':deliveryId/replay')
  @ApiOkResponse({ description: 'The delivery, which will be sent again.', type: DeliveryWithBodyDto })
  @AdministratorEndpoint(REPLAY_DELIVERY)
  replayWebhookDelivery(
    @Param('id') id: string,
    @Param('deliveryId') deliveryId: string,
    @CurrentChange() context: ChangeContext,
  ): Promise<DeliveryWithBodyDto> {
    return this.replay.execute(id, deliveryId, context);
  }
}
