import { IsIn, IsOptional, IsString } from 'class-validator';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { DEFAULT_PAGE_LIMIT, PageLimit } from '../openapi/page-limit.decorator';
import { LIMITS } from '../contract/limits';
import { IsIds, IsSearch } from '../server/query-value.decorators';

const SORTS = ['id', '-createdAt'] as const;

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
    minLength: 1,
    maxLength: LIMITS.search,
    description:
      'Only records that contain every word of this text, in any order, regardless of case and ' +
      'accents. One or two characters find what begins with them: the id, the email address, or a ' +
      'word of the name. Eight words count.',
  })
  @IsSearch()
  search?: string;

  @ApiPropertyOptional({ enum: SORTS, default: 'id', description: 'By id, or newest first.' })
  @IsOptional()
  @IsIn(SORTS)
  sort: (typeof SORTS)[number] = 'id';

  @PageLimit(LIMITS.recordsPage)
  limit: number = DEFAULT_PAGE_LIMIT;

  @ApiPropertyOptional({
    description: 'The `next` of the previous page, with the same filters.',
  })
  @IsOptional()
  @IsString()
  cursor?: string;
}
