import { ApiProperty } from '../../openapi/documentation.decorators';
import { DirectPermissions, MomentsDto, Next } from '../../records/record.dto';

class WorkspaceDto extends MomentsDto {
  @ApiProperty({ example: 'atlas' })
  id!: string;

  @ApiProperty({ example: 'Atlas' })
  name!: string;
}

export class WorkspaceRecordDto extends WorkspaceDto {
  @DirectPermissions('content.read')
  permissions!: string[];
}

export class WorkspacePageDto {
  @ApiProperty({ type: [WorkspaceDto] })
  workspaces!: WorkspaceDto[];

  @Next()
  next!: string | null;
}
