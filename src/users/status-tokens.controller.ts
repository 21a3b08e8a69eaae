import { Controller, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '../openapi/documentation.decorators';
import { ValidatedBody } from '../server/validated.decorators';
import { type ChangeContext, CurrentChange } from '../idempotency/change-context.decorator';
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
    @CurrentChange() context: ChangeContext,
  ): Promise<StatusTokenDto> {
    return this.tokens.execute(body, context);
  }
}
