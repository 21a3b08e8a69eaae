import { ApiProperty } from '../../openapi/documentation.decorators';
import { DirectPermissions, MomentsDto, Next } from '../../records/record.dto';

class GroupDto extends MomentsDto {
  @ApiProperty({ example: 'atlas-editors' })
  id!: string;

  @ApiProperty({ example: 'Editors' })
  name!: string;

  @ApiProperty({ example: 'atlas', description: 'The id of the workspace of the group.' })
  workspace!: string;
}

export class GroupRecordDto extends GroupDto {
  @DirectPermissions('content.read')
  permissions!: string[];
}

export class GroupPageDto {
  @ApiProperty({ type: [GroupDto] })
  groups!: GroupDto[];

  @Next()
  next!: string | null;
}
