import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { AdministratorEndpoint } from '../auth/administrator-endpoint.decorator';
import { ValidatedQuery } from '../server/validated.decorators';
import { JournalReader } from './journal-reader';
import { JournalPageDto } from './dto/journal-page.dto';
import { JournalQueryDto } from './dto/journal-query.dto';
import { JournalCursor } from './journal-cursor';
import { READ_JOURNAL } from './journal.documentation';

@Controller('api/journal')
@ApiTags('Journal')
export class JournalController {
  constructor(private readonly journal: JournalReader) {}

  @Get()
  @ApiOkResponse({ description: 'One page.', type: JournalPageDto })
  @AdministratorEndpoint(READ_JOURNAL)
  async readJournal(@ValidatedQuery() query: JournalQueryDto): Promise<JournalPageDto> {
    const { entries, next } = await this.journal.page(query, query.limit, query.cursor);
    return { entries, next: next ? JournalCursor.write(next) : null };
  }
}
