import { DERIVED_FIELDS, FIXED_FIELDS } from '../contract/record-fields';
import { ApiProperty } from '@nestjs/swagger';
import { DirectPermissions, TimestampsDto, Next, Total, TotalDto } from '../records/record.dto';
import { RecordField, RequiredField } from '../records/record-field.decorators';
import { ReadOnlyFields } from '../server/body-field.decorators';

class WorkspaceDto extends TimestampsDto {
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

  @Total()
  total?: TotalDto;
}

@ReadOnlyFields(...DERIVED_FIELDS)
export class CreateWorkspaceDto {
  @RecordField('id')
  id?: string | null;

  @RequiredField('name')
  name!: string;

  @RecordField('permissions')
  permissions?: string[] | null;
}

/** Missing fields stay as they are. Null clears the list. */
@ReadOnlyFields(...DERIVED_FIELDS, ...FIXED_FIELDS)
export class ChangeWorkspaceDto {
  @RecordField('name')
  name?: string;

  @RecordField('allPermissions')
  permissions?: string[] | null;
}
