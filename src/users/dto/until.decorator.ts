import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { isInstant } from '../../contract/instants';
import { Checked } from '../../server/body-field.decorators';

/** When memberships end. That the time lies ahead is judged by the clock of the database. */
export function Until(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Checked('isUntil', isInstant, { code: 'until.invalid' }),
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
