import { ApiProperty } from '../../openapi/documentation.decorators';
import type { WorkspaceBody, WithPermissions } from '../../contract/records';
import { MomentsDto, Next } from '../../openapi/record.dto';

export class WorkspaceDto extends MomentsDto implements WorkspaceBody {
  @ApiProperty({ example: 'atlas' })
  id!: string;

  @ApiProperty({ example: 'Atlas' })
  name!: string;
}

export class WorkspaceRecordDto extends WorkspaceDto implements WithPermissions<WorkspaceBody> {
  @ApiProperty({
    type: [String],
    example: ['content.read'],
    description: 'The ids of the direct permissions, in order.',
  })
  permissions!: string[];
}

export class WorkspacePageDto {
  @ApiProperty({ type: [WorkspaceDto] })
  workspaces!: WorkspaceBody[];

  @Next()
  next!: string | null;
}
