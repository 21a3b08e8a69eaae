import { ApiProperty } from '../../openapi/documentation.decorators';
import type { WorkspaceBody, WithPermissions } from '../../contract/records';
import { DirectPermissions, MomentsDto, Next } from '../../openapi/record.dto';

class WorkspaceDto extends MomentsDto implements WorkspaceBody {
  @ApiProperty({ example: 'atlas' })
  id!: string;

  @ApiProperty({ example: 'Atlas' })
  name!: string;
}

export class WorkspaceRecordDto extends WorkspaceDto implements WithPermissions<WorkspaceBody> {
  @DirectPermissions('content.read')
  permissions!: string[];
}

export class WorkspacePageDto {
  @ApiProperty({ type: [WorkspaceDto] })
  workspaces!: WorkspaceBody[];

  @Next()
  next!: string | null;
}
