import { ApiProperty } from '@nestjs/swagger';
import { isIdentifier, NEW_ID_RULE } from '../../contract/identifiers';
import { LIMITS } from '../../contract/limits';
import { Field } from '../../server/body-field.decorators';
import { Reason } from './reason.decorator';

export class RenameUserDto {
  @ApiProperty({ minLength: 1, maxLength: LIMITS.identifier, description: `The new id. It ${NEW_ID_RULE}.` })
  @Field(isIdentifier)
  id!: string;

  @Reason('Signs in with another identity provider')
  reason?: string | null;
}
