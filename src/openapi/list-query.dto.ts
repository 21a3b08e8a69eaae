import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { ApiPropertyOptional } from './documentation.decorators';
import { LIMITS } from '../contract/limits';
import { IsIds, IsSearch, IsWholeNumber } from '../server/query-value.decorators';

const DEFAULT_LIMIT = 50;
const SORTS = ['id', '-createdAt'] as const;
const MAX_CURSOR = 2_000;

/** The query parameters of every list of records. Those of one list extend this. */
export class ListQueryDto {
  @ApiPropertyOptional({
    type: [String],
    maxItems: LIMITS.idsInList,
    description: 'Only records with one of these ids. Repeat the parameter for each id.',
  })
  @IsIds()
  id?: string[];

  @ApiPropertyOptional({
    minLength: LIMITS.searchAtLeast,
    maxLength: LIMITS.search,
    description: 'Only records that contain this text, regardless of case.',
  })
  @IsSearch()
  search?: string;

  @ApiPropertyOptional({ enum: SORTS, default: 'id', description: 'By id, or newest first.' })
  @IsOptional()
  @IsIn(SORTS)
  sort: (typeof SORTS)[number] = 'id';

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: LIMITS.recordsPage,
    default: DEFAULT_LIMIT,
    description: 'The number of records on a page.',
  })
  @IsWholeNumber(1, LIMITS.recordsPage)
  limit: number = DEFAULT_LIMIT;

  @ApiPropertyOptional({
    description: 'The `next` of the previous page, with the same filters.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_CURSOR)
  cursor?: string;
}
