import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { AnswersPage } from '../openapi/record-answers.decorators';
import { ReaderEndpoint } from '../auth/guarded-endpoint.decorators';
import { type Bearer, CurrentBearer } from '../auth/current-bearer.decorator';
import { CurrentSlot } from '../auth/connection-slot.interceptor';
import type { Slot } from '@user-administration/postgres';
import { CallerGone } from '@user-administration/http';
import { ValidatedQuery } from '../server/validated.decorators';
import { JournalPageDto } from './dto/journal-page.dto';
import { JournalQueryDto } from './dto/journal-query.dto';
import { READ_JOURNAL } from './journal.documentation';
import { ReadJournalService } from './read-journal.service';

@Controller('api/journal')
@ApiTags('Journal')
export class JournalController {
  constructor(private readonly journal: ReadJournalService) {}

  @Get()
  @AnswersPage()
  @ApiOkResponse({ description: 'One page.', type: JournalPageDto })
  @ReaderEndpoint(READ_JOURNAL)
  readJournal(
    @ValidatedQuery() query: JournalQueryDto,
    @CurrentBearer() { caller }: Bearer,
    @CurrentSlot() slot: Slot,
    @CallerGone() gone: AbortSignal,
  ): Promise<JournalPageDto> {
    return this.journal.execute(query, caller, slot, gone);
  }
}
