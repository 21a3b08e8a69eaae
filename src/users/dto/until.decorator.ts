import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional } from 'class-validator';
import { isStorableInstant, readInstant } from '../../contract/instants';
import { Checked } from '../../server/body-field.decorators';

/**
 * When memberships end, in UTC with milliseconds: PostgreSQL knows no offset of sixteen hours, and would round up what
 * is finer. That the time lies ahead is judged by the clock of the database.
 */
export function Until(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Transform(({ value }: { value: unknown }) => storable(value) ?? value),
    Checked('isUntil', isStorableInstant, { code: 'until.malformed' }),
    ApiPropertyOptional({
      description:
        'When these memberships end: ISO 8601 with an offset, ahead, at most ten years. Missing or null: never, or ' +
        'for an unassignment, now.',
      type: 'string',
      format: 'date-time',
      nullable: true,
      example: null,
    }),
  );
}

/** A year that cannot be kept is past, or too far ahead: the nearest that can be kept is so as well. */
function storable(value: unknown): string | undefined {
  const date = readInstant(value);
  if (!date || isStorableInstant(value)) return date?.toISOString();
  return date.getUTCFullYear() < 1 ? '0001-01-01T00:00:00.000Z' : '9999-12-31T23:59:59.999Z';
}
