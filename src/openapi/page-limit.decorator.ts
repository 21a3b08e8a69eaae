import { applyDecorators } from '@nestjs/common';
import { IsWholeNumber } from '../server/query-value.decorators';
import { ApiPropertyOptional } from './documentation.decorators';

export const DEFAULT_PAGE_LIMIT = 50;

/** The query parameter `limit`: the number of these items on a page. */
export function PageLimit(items: string, maximum: number): PropertyDecorator {
  const description = `The number of ${items} on a page.`;
  return applyDecorators(
    IsWholeNumber(1, maximum),
    ApiPropertyOptional({ type: 'integer', minimum: 1, maximum, default: DEFAULT_PAGE_LIMIT, description }),
  );
}
