import { applyDecorators } from '@nestjs/common';
import { IsWholeNumber } from '../server/query-value.decorators';
import { ApiPropertyOptional } from '@nestjs/swagger';

export const DEFAULT_PAGE_LIMIT = 50;

const DESCRIPTION =
  'The most items on a page. A page can have fewer, even none: only `next` says whether others follow.';

/** The query parameter `limit`. Its description is the same in every list, so the document has it once. */
export function PageLimit(maximum: number, description = DESCRIPTION): PropertyDecorator {
  return applyDecorators(
    IsWholeNumber(1, maximum),
    ApiPropertyOptional({ type: 'integer', minimum: 1, maximum, default: DEFAULT_PAGE_LIMIT, description }),
  );
}
