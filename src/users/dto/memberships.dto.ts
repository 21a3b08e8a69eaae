import { IsOptional, IsString, MaxLength } from 'class-validator';
import { ApiProperty, ApiPropertyOptional } from '../../openapi/documentation.decorators';
import { LIMITS } from '../../contract/limits';
import type { Membership, NamedRecord } from '../../contract/records';
import { Next } from '../../openapi/record.dto';
import { IsWholeNumber } from '../../server/query-value.decorators';

const DEFAULT_LIMIT = 50;

export class MembershipsQueryDto {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: LIMITS.recordsPage,
    default: DEFAULT_LIMIT,
    description: 'The number of workspaces on a page.',
  })
  @IsWholeNumber(1, LIMITS.recordsPage)
  limit: number = DEFAULT_LIMIT;

  @ApiPropertyOptional({ description: 'The `next` of the previous page.' })
  @IsOptional()
  @IsString()
  @MaxLength(2_000)
  cursor?: string;
}

class NamedRecordDto implements NamedRecord {
  @ApiProperty({ example: 'atlas' })
  id!: string;

  @ApiProperty({ example: 'Atlas' })
  name!: string;
}

class MembershipDto implements Membership {
  @ApiProperty({ type: NamedRecordDto })
  workspace!: NamedRecord;

  @ApiProperty({ type: [NamedRecordDto], example: [{ id: 'atlas-editors', name: 'Editors' }] })
  groups!: NamedRecord[];
}

export class MembershipPageDto {
  @ApiProperty({ type: [MembershipDto], description: 'In order of workspace id.' })
  memberships!: Membership[];

  @Next()
  next!: string | null;
}
