import { IsString } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { LIMITS } from '../../contract/limits';
import type { Refusal } from '../../server/shape.pipe';

const refusal = { context: { code: 'status.not_permitted' } satisfies Refusal };

export class ManageStatusDto {
  @ApiProperty({
    description: 'The user whose status is changed.',
    minLength: 1,
    maxLength: LIMITS.identifier,
    example: 'dee',
  })
  @IsString(refusal)
  id!: string;

  @ApiProperty({
    description:
      'The token (JWT) that grants the change: a status token sets the status that it names, the ' +
      'access token of an administrator toggles the status.',
    format: 'jwt',
    example: '<the access token of an administrator>',
  })
  @IsString(refusal)
  token!: string;
}
