import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { USER_TYPES, type UserType } from '../contract/directory';
import { QueryReason } from './query-reason.decorator';
import { IsFlag } from '../server/query-value.decorators';

export class DryRunQueryDto {
  @ApiPropertyOptional({
    default: false,
    description: 'Returns what would change, and changes nothing. The checks are the same.',
  })
  @IsOptional()
  @IsFlag()
  dryRun?: boolean;
}

/** The parameters of the creation of a record. */
export class CreationQueryDto {
  @QueryReason()
  reason?: string;
}

/** The parameters of the change or the deletion of a record. */
export class ChangeQueryDto extends DryRunQueryDto {
  @QueryReason()
  reason?: string;
}

export class TypeImpactDto {
  @ApiProperty({ enum: USER_TYPES, example: 'manager' })
  before!: UserType;

  @ApiProperty({ enum: USER_TYPES, example: 'member' })
  after!: UserType;

  @ApiProperty({ type: 'integer', example: 1 })
  count!: number;

  @ApiProperty({ example: ['ben'], description: 'The first ten, in order of id.' })
  first!: string[];
}

export class UserImpactDto {
  @ApiProperty({
    type: 'integer',
    example: 1,
    description: 'Users who hold other permissions, leave a place or get another type.',
  })
  affected!: number;

  @ApiProperty({ type: [TypeImpactDto] })
  types!: TypeImpactDto[];
}

export class RecordImpactDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    example: null,
    description: 'The record as it would be; null if it is deleted.',
  })
  record!: object | null;

  @ApiProperty()
  users!: UserImpactDto;
}

/** The answer of a dry run that changes or deletes one record. */
export class RecordDryRunDto {
  @ApiProperty({ type: 'integer', enum: [200] })
  status!: 200;

  @ApiProperty({ example: 'Nothing was changed: this was a dry run.' })
  message!: string;

  @ApiProperty()
  result!: RecordImpactDto;
}
