import { Controller, Post } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { AdministratorEndpoint, type ChangeContext, CurrentChange, ValidatedQuery } from '../door';
import type { Representation } from '../../contract/answers';
import { CallerGone } from '@user-administration/http';
import { TakesFile } from '../../server/input.interceptor';
import { FILE_ERRORS } from './errors';
import { ImportAnswerDto, ImportQueryDto } from './dto/import.dto';
import { IMPORT_FILE } from './imports.documentation';
import { ImportRequestService, type SentFile } from './import-request.service';
import { CurrentFile } from './sent-file.decorator';

@Controller('api/imports')
@ApiTags('Imports')
export class ImportsController {
  constructor(private readonly imports: ImportRequestService) {}

  @Post()
  @TakesFile({
    types: /^(?:application\/x-ndjson|text\/csv)[ \t]*(?:;|$)/i,
    otherwise: () => FILE_ERRORS.refusal('import.unsupported'),
    tooLarge: () => FILE_ERRORS.refusal('import.too_large'),
  })
  @ApiConsumes('application/x-ndjson', 'text/csv')
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @ApiOkResponse({ description: 'Done.', type: ImportAnswerDto })
  @AdministratorEndpoint(IMPORT_FILE)
  importFile(
    @CurrentFile() file: SentFile,
    @ValidatedQuery() query: ImportQueryDto,
    @CurrentChange() context: ChangeContext,
    @CallerGone() gone: AbortSignal,
  ): Promise<Representation> {
    return this.imports.execute(file, query, context, gone);
  }
}
