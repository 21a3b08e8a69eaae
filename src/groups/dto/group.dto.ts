import { ApiProperty } from '../../openapi/documentation.decorators';
import type { GroupBody, WithPermissions } from '../../contract/records';
import { DirectPermissions, MomentsDto, Next } from '../../openapi/record.dto';

class GroupDto extends MomentsDto implements GroupBody {
  @ApiProperty({ example: 'atlas-editors' })
  id!: string;

  @ApiProperty({ example: 'Editors' })
  name!: string;

  @ApiProperty({ example: 'atlas', description: 'The id of the workspace of the group.' })
  workspace!: string;
}

export class GroupRecordDto extends GroupDto implements WithPermissions<GroupBody> {
  @DirectPermissions('content.read')
  permissions!: string[];
}

export class GroupPageDto {
  @ApiProperty({ type: [GroupDto] })
  groups!: GroupBody[];

  @Next()
  next!: string | null;
}
