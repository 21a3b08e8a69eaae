import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { type Bearer, CurrentBearer } from '../auth/current-bearer.decorator';
import { Endpoint } from '../openapi/endpoint.decorator';
import { CallerDto } from './dto/caller.dto';
import { ReadCallerService } from './read-caller.service';

@Controller('api/me')
@ApiTags('Users')
export class CallerController {
  constructor(private readonly read: ReadCallerService) {}

  @Get()
  @ApiOkResponse({ description: 'The caller.', type: CallerDto })
  @Endpoint({
    summary: 'See who you are',
    description:
      'For any caller. Returns the caller as the service sees them: a user of the directory with the ' +
      `user's record, or a service.`,
    refuses: ['auth.token_invalid'],
  })
  getCaller(@CurrentBearer() { caller }: Bearer): Promise<CallerDto> {
    return this.read.execute(caller);
  }
}
