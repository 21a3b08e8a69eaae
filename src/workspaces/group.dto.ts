import { isIdentifier } from '../contract/identifiers';
import { DERIVED_FIELDS, FIXED_FIELDS } from '../contract/record-fields';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ListQueryDto } from '../records/list-query.dto';
import { DirectPermissions, TimestampsDto, Next, Total, TotalDto } from '../records/record.dto';
import { RecordField, RequiredField, ToldField } from '../records/record-field.decorators';
import { Field, ReadOnlyFields } from '../server/body-field.decorators';
import { IsId } from '../server/query-value.decorators';
import { ChangeWorkspaceDto } from './workspace.dto';

const WORKSPACE = { example: 'atlas', description: 'The id of the workspace of the group.' };

class GroupDto extends TimestampsDto {
  @ApiProperty({ example: 'atlas-editors' })
  id!: string;

  @ToldField('group', 'name')
  name!: string;

  @ApiProperty(WORKSPACE)
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

  @Total()
  total?: TotalDto;
}

export class ListGroupsDto extends ListQueryDto {
  @ApiPropertyOptional({ description: 'Only groups of the workspace with this id.' })
  @IsId()
  workspace?: string;
}

@ReadOnlyFields(...DERIVED_FIELDS)
export class CreateGroupDto {
  @RecordField('id')
  id?: string | null;

  @RequiredField('name')
  name!: string;

  @ApiProperty(WORKSPACE)
  @Field(isIdentifier)
  workspace!: string;

  @RecordField('permissions')
  permissions?: string[] | null;
}

@ReadOnlyFields(...DERIVED_FIELDS, ...FIXED_FIELDS, 'workspace')
export class ChangeGroupDto extends ChangeWorkspaceDto {}
