import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { LIMITS } from '../../contract/limits';
import { Checked } from '../../server/body-field.decorators';
import { isReason } from '../../contract/field.rules';

/** The reason for a change, for the journal. */
export function Reason(example: string): PropertyDecorator {
  return applyDecorators(
    Checked('isReason', isReason, { code: 'reason.invalid', args: { max: LIMITS.reason } }),
    ApiPropertyOptional({
      description: 'The reason for the change, for the journal.',
      type: 'string',
      nullable: true,
      minLength: 1,
      maxLength: LIMITS.reason,
      example,
    }),
  );
}
