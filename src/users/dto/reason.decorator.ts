import { applyDecorators } from '@nestjs/common';
import { Allow } from 'class-validator';
import { LIMITS } from '../../contract/limits';
import { ApiPropertyOptional } from '@nestjs/swagger';

/** The reason for a change. It is judged after what only the database knows, by `reason.rules.ts`. */
export function Reason(example: string): PropertyDecorator {
  return applyDecorators(
    Allow(),
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
