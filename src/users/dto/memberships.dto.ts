import { IsOptional, IsString } from 'class-validator';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { DEFAULT_PAGE_LIMIT, PageLimit } from '../../openapi/page-limit.decorator';
import { LIMITS } from '../../contract/limits';
import { Next } from '../../records/record.dto';

export class MembershipsQueryDto {
  @PageLimit(LIMITS.recordsPage)
  limit: number = DEFAULT_PAGE_LIMIT;

  @ApiPropertyOptional({ description: 'The `next` of the previous page.' })
  @IsOptional()
  @IsString()
  cursor?: string;
}

class NamedRecordDto {
  @ApiProperty({ example: 'atlas' })
  id!: string;

  @ApiProperty({ example: 'Atlas' })
  name!: string;

  @ApiPropertyOptional({
    format: 'date-time',
    example: '2030-01-31T17:00:00.000Z',
    description: 'When the membership ends, if it has an end.',
  })
  until?: string;
}

class MembershipDto {
  @ApiProperty({ type: NamedRecordDto })
  workspace!: NamedRecordDto;

  @ApiProperty({
    type: [NamedRecordDto],
    example: [{ id: 'atlas-editors', name: 'Editors', until: '2030-01-31T17:00:00.000Z' }],
  })
  groups!: NamedRecordDto[];
}

export class MembershipPageDto {
  @ApiProperty({ type: [MembershipDto], description: 'In order of workspace id.' })
  memberships!: MembershipDto[];

  @Next()
  next!: string | null;
}
