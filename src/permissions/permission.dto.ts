import { IsIn, IsOptional } from 'class-validator';
import { USER_TYPES, type UserType } from '../contract/directory';
import { DERIVED_FIELDS, FIXED_FIELDS } from '../contract/record-fields';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ListQueryDto } from '../records/list-query.dto';
import { TimestampsDto, Next, Total, TotalDto } from '../records/record.dto';
import { RecordField, RequiredField, ToldField } from '../records/record-field.decorators';
import { ReadOnlyFields } from '../server/body-field.decorators';

export class PermissionDto extends TimestampsDto {
  @ApiProperty({ example: 'content.edit' })
  id!: string;

  @ToldField('permission', 'description')
  description!: string | null;

  @ToldField('permission', 'grants')
  grants!: UserType;
}

export class PermissionPageDto {
  @ApiProperty({ type: [PermissionDto] })
  permissions!: PermissionDto[];

  @Next()
  next!: string | null;

  @Total()
  total?: TotalDto;
}

export class ListPermissionsDto extends ListQueryDto {
  @ApiPropertyOptional({ enum: USER_TYPES, description: 'Only permissions that grant this type.' })
  @IsOptional()
  @IsIn(USER_TYPES)
  grants?: UserType;
}

@ReadOnlyFields(...DERIVED_FIELDS)
export class CreatePermissionDto {
  @RecordField('id')
  id?: string | null;

  @RecordField('description')
  description?: string | null;

  @RequiredField('grants')
  grants!: UserType;
}

/** Missing fields stay as they are. Null clears the description. */
@ReadOnlyFields(...DERIVED_FIELDS, ...FIXED_FIELDS)
export class ChangePermissionDto {
  @RecordField('description')
  description?: string | null;

  @RecordField('grants')
  grants?: UserType;
}
