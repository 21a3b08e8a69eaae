import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { LIMITS } from '../contract/limits';
import { isTextOf } from '../contract/record-fields';
import { Checked } from '../server/body-field.decorators';

/** The reason for a change as a query parameter, for the journal. */
export function QueryReason(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Checked('isReason', (value) => isTextOf(value, 1, LIMITS.reason), {
      code: 'reason.invalid',
      args: { max: LIMITS.reason },
    }),
    ApiPropertyOptional({
      type: String,
      minLength: 1,
      maxLength: LIMITS.reason,
      description: 'The reason for the change, for the journal.',
    }),
  );
}
