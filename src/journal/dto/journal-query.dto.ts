import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { JOURNAL_ACTIONS, type JournalAction } from '../../contract/journal';
import { LIMITS } from '../../contract/limits';
import type { JournalFilter } from '../journal-search';
import type { JournalCursor } from '../journal-cursor';
import { IsId, IsWholeNumber } from '../../server/query-value.decorators';
import { IsInstant, IsJournalCursor } from './query-value.decorators';

const DEFAULT_LIMIT = 50;
const id = { minLength: 1, maxLength: LIMITS.identifier } as const;

export class JournalQueryDto implements JournalFilter {
  @ApiPropertyOptional({ description: 'Only what was done to this user.', ...id })
  @IsId()
  user?: string;

  @ApiPropertyOptional({ description: 'Only what concerns this workspace.', ...id })
  @IsId()
  workspace?: string;

  @ApiPropertyOptional({ description: 'Only what this user, service or part of the system did.', ...id })
  @IsId()
  actor?: string;

  @ApiPropertyOptional({ description: 'Only this action.', enum: JOURNAL_ACTIONS, enumName: 'JournalAction' })
  @IsOptional()
  @IsIn(JOURNAL_ACTIONS)
  action?: JournalAction;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'Only what was done at this moment or later: ISO 8601 with an offset, such as `2030-01-01T00:00:00Z`.',
  })
  @IsInstant()
  from?: Date;

  @ApiPropertyOptional({ type: String, format: 'date-time', description: 'Only what was done before this moment.' })
  @IsInstant()
  to?: Date;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: LIMITS.journalPage,
    default: DEFAULT_LIMIT,
    description: 'How many entries make a page.',
  })
  @IsWholeNumber(1, LIMITS.journalPage)
  limit: number = DEFAULT_LIMIT;

  @ApiPropertyOptional({
    type: String,
    description: 'Where to go on: `next` of the page before, asked for with the same filters.',
  })
  @IsJournalCursor()
  cursor?: JournalCursor;
}
