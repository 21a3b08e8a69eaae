import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '../openapi/documentation.decorators';
import { type Bearer, CurrentBearer } from '../auth/current-bearer.decorator';
import { Endpoint } from '../openapi/endpoint.decorator';
import { CallerDto } from './dto/caller.dto';
import { ReadCallerService } from './read-caller.service';
import { READ_CALLER } from './user-records.documentation';

@Controller('api/me')
@ApiTags('Users')
export class CallerController {
  constructor(private readonly read: ReadCallerService) {}

  @Get()
  @ApiOkResponse({ description: 'The caller.', type: CallerDto })
  @Endpoint(READ_CALLER)
  getCaller(@CurrentBearer() { caller }: Bearer): Promise<CallerDto> {
    return this.read.execute(caller);
  }
}
