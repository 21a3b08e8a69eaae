import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { USER_TYPES, type UserType } from '../../contract/directory';
import { ListQueryDto } from '../../openapi/list-query.dto';

export class ListPermissionsDto extends ListQueryDto {
  @ApiPropertyOptional({ enum: USER_TYPES, description: 'Only permissions that grant this type.' })
  @IsOptional()
  @IsIn(USER_TYPES)
  grants?: UserType;
}
