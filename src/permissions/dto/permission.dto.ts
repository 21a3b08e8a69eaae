import { ApiProperty } from '../../openapi/documentation.decorators';
import { USER_TYPES, type UserType } from '../../contract/directory';
import { MomentsDto, Next } from '../../records/record.dto';

export class PermissionDto extends MomentsDto {
  @ApiProperty({ example: 'content.edit' })
  id!: string;

  @ApiProperty({ type: String, nullable: true, example: 'Edit content' })
  description!: string | null;

  @ApiProperty({ enum: USER_TYPES, example: 'member', description: 'The user type that the permission grants.' })
  grants!: UserType;
}

export class PermissionPageDto {
  @ApiProperty({ type: [PermissionDto] })
  permissions!: PermissionDto[];

  @Next()
  next!: string | null;
}
