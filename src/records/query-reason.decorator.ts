import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { LIMITS } from '../contract/limits';
import { isReason } from '../contract/field.rules';
import { Checked } from '../server/body-field.decorators';

/** The reason for a change as a query parameter, for the journal. */
export function QueryReason(): PropertyDecorator {
  return applyDecorators(
    Checked('isReason', isReason, { code: 'reason.invalid', args: { max: LIMITS.reason } }),
    ApiPropertyOptional({
      type: String,
      minLength: 1,
      maxLength: LIMITS.reason,
      description: 'The reason for the change, for the journal.',
    }),
  );
}
