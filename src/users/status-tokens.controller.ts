import { Controller, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '../openapi/documentation.decorators';
import { CurrentAttribution } from '../auth/current-attribution.decorator';
import type { IdempotentUnit } from '../database/transactions';
import { ValidatedBody } from '../server/validated.decorators';
import { CurrentIdempotentUnit } from '../idempotency/current-idempotent-unit.decorator';
import type { Attribution } from '../contract/attribution';
import { MintStatusTokenDto } from './dto/mint-status-token.dto';
import { StatusTokenDto } from './dto/status-token.dto';
import { MintStatusTokenService } from './mint-status-token.service';
import { MINT_STATUS_TOKEN } from './status.documentation';
import { AdministratorEndpoint } from '../auth/administrator-endpoint.decorator';

@Controller('api/users/status-tokens')
@ApiTags('Users')
export class StatusTokensController {
  constructor(private readonly tokens: MintStatusTokenService) {}

  @Post()
  @ApiOkResponse({ description: 'The status token.', type: StatusTokenDto })
  @AdministratorEndpoint(MINT_STATUS_TOKEN)
  mintStatusToken(
    @ValidatedBody() body: MintStatusTokenDto,
    @CurrentAttribution() attribution: Attribution,
    @CurrentIdempotentUnit() unit?: IdempotentUnit,
  ): Promise<StatusTokenDto> {
    return this.tokens.execute(body, attribution, unit);
  }
}
