import { IsIn, IsOptional, IsString } from 'class-validator';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { DEFAULT_PAGE_LIMIT, PageLimit } from '../openapi/page-limit.decorator';
import { LIMITS } from '../contract/limits';
import { IsFlag, IsIds, IsSearch } from '../server/query-value.decorators';
import { ID_SORT, type ListSort } from './list-orders';

/** The query parameters of every list of records. Those of one list extend this. */
export abstract class FilterQueryDto {
  abstract sort: ListSort;

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

  @ApiPropertyOptional({
    default: false,
    description: `Adds \`total\`: how many records match all filters, counted to ${LIMITS.counted} at most.`,
  })
  @IsOptional()
  @IsFlag()
  total?: boolean;

  @PageLimit(LIMITS.recordsPage)
  limit: number = DEFAULT_PAGE_LIMIT;

  @ApiPropertyOptional({
    description: 'The `next` of the previous page, with the same filters and the same order.',
  })
  @IsOptional()
  @IsString()
  cursor?: string;
}

/** The query parameters of lists that have one order. */
export class ListQueryDto extends FilterQueryDto {
  @ApiPropertyOptional({ enum: ID_SORT, default: 'id', description: 'By id.' })
  @IsOptional()
  @IsIn(ID_SORT)
  sort: (typeof ID_SORT)[number] = 'id';
}
