import { IsIn, IsOptional } from 'class-validator';
import { ApiPropertyOptional } from '../../openapi/documentation.decorators';
import { USER_TYPES, type UserType } from '../../contract/directory';
import { ListQueryDto } from '../../records/list-query.dto';

export class ListPermissionsDto extends ListQueryDto {
  @ApiPropertyOptional({ enum: USER_TYPES, description: 'Only permissions that grant this type.' })
  @IsOptional()
  @IsIn(USER_TYPES)
  grants?: UserType;
}
