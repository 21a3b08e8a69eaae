import { DERIVED_FIELDS, FIXED_FIELDS } from '../contract/record-fields';
import { ApiProperty } from '@nestjs/swagger';
import { RecordDryRunDto, RecordImpactDto } from '../records/dry-run.dto';
import { DirectPermissions, TimestampsDto, Next, Total, TotalDto } from '../records/record.dto';
import { RecordField, RequiredField, ToldField } from '../records/record-field.decorators';
import { ReadOnlyFields } from '../server/body-field.decorators';

class WorkspaceDto extends TimestampsDto {
  @ApiProperty({ example: 'atlas' })
  id!: string;

  @ToldField('workspace', 'name')
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

class EndingConnectionDto {
  @ApiProperty({ example: '01940000-0000-7000-8000-000000000000' })
  id!: string;

  @ApiProperty({ example: 'Okta' })
  name!: string;
}

class WorkspaceDeletionImpactDto extends RecordImpactDto {
  @ApiProperty({
    type: [EndingConnectionDto],
    description: 'The connections of identity providers that end with the workspace, in order of id.',
  })
  connections!: EndingConnectionDto[];
}

/** The answer of a dry run that deletes a workspace. */
export class WorkspaceDeletionDryRunDto extends RecordDryRunDto {
  @ApiProperty()
  declare result: WorkspaceDeletionImpactDto;
}
