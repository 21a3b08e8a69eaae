import { Controller, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { CurrentAct } from '../auth/current-act.decorator';
import type { Once } from '../database/transactions';
import { ShapedBody } from '../http/shaped.decorators';
import { CurrentOnce } from '../idempotency/current-once.decorator';
import type { Act } from '../journal/act';
import { MintStatusTokenDto } from './dto/mint-status-token.dto';
import { StatusTokenDto } from './dto/status-token.dto';
import { MintStatusTokenService } from './mint-status-token.service';
import { MINT_STATUS_TOKEN } from './users.documentation';
import { AdministratorEndpoint } from './users.endpoints';

@Controller('api/users/status-tokens')
@ApiTags('Users')
export class StatusTokensController {
  constructor(private readonly tokens: MintStatusTokenService) {}

  @Post()
  @ApiOkResponse({ description: 'Made.', type: StatusTokenDto })
  @AdministratorEndpoint(MINT_STATUS_TOKEN)
  mintStatusToken(
    @ShapedBody() body: MintStatusTokenDto,
    @CurrentAct() act: Act,
    @CurrentOnce() once?: Once,
  ): Promise<StatusTokenDto> {
    return this.tokens.execute(body, act, once);
  }
}
