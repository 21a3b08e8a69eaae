import { Controller, Get, Headers, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Slot } from '@user-administration/postgres';
import { CurrentSlot } from '../../auth/connection-slot.interceptor';
import { ReaderEndpoint } from '../../auth/guarded-endpoint.decorators';
import { CallerGone } from '@user-administration/http';
import { ValidatedQuery } from '../../server/validated.decorators';
import { READ_ACCESS } from './access.documentation';
import { AccessService } from './access.service';
import { AccessLineDto, AccessQueryDto } from './dto/access.dto';

@Controller('api/access')
@ApiTags('Users')
export class AccessController {
  constructor(private readonly access: AccessService) {}

  @Get()
  @ApiExtraModels(AccessLineDto)
  @ApiOkResponse({
    description: 'The schema is that of one line.',
    content: {
      'application/x-ndjson': { schema: { $ref: getSchemaPath(AccessLineDto) } },
      'text/csv': { schema: { type: 'string', format: 'binary' } },
    },
  })
  @ReaderEndpoint(READ_ACCESS)
  readAccess(
    @ValidatedQuery() query: AccessQueryDto,
    @Headers('accept') accept: string | undefined,
    @Res() response: Response,
    @CallerGone() gone: AbortSignal,
    @CurrentSlot() slot: Slot | undefined,
  ): Promise<void> {
    return this.access.execute(query, accept, response, gone, slot);
  }
}
