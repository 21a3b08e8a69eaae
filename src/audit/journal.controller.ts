import { Controller, Get, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { AdminGuard } from '../auth/admin.guard';
import { Endpoint } from '../http/endpoint.decorator';
import { ShapedQuery } from '../http/shaped.decorators';
import { JournalReader } from '../journal/journal-reader';
import { JournalPageDto } from './dto/journal-page.dto';
import { JournalQueryDto } from './dto/journal-query.dto';
import { JournalCursor } from './journal-cursor';
import { READ_JOURNAL } from './journal.documentation';

@Controller('api/journal')
@ApiTags('Journal')
export class JournalController {
  constructor(private readonly journal: JournalReader) {}

  @Get()
  @UseGuards(AdminGuard)
  @ApiOkResponse({ description: 'One page.', type: JournalPageDto })
  @Endpoint(READ_JOURNAL)
  async readJournal(@ShapedQuery() query: JournalQueryDto): Promise<JournalPageDto> {
    const { entries, next } = await this.journal.page(query, query.limit, query.cursor);
    return { entries, next: next ? JournalCursor.write(next) : null };
  }
}
