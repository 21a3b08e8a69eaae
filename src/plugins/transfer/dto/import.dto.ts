import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, ValidateBy } from 'class-validator';
import { LIMITS } from '../../door';
import { isName } from '../../../contract/field.rules';
import { DryRunQueryDto } from '../../../records/dry-run.dto';
import { QueryReason } from '../../../records/query-reason.decorator';
import { IsFlag, IsIds } from '../../../server/query-value.decorators';
import { AT_MOST, readAtMost } from '../import-missing';
import { FILE_LIMITS } from '../limits';

export class ImportQueryDto extends DryRunQueryDto {
  @ApiPropertyOptional({ default: false, description: 'Deactivates the active users whom the file does not name.' })
  @IsOptional()
  @IsFlag()
  deactivateMissing?: boolean;

  @ApiPropertyOptional({
    type: String,
    // A default would be sent without `deactivateMissing` as well, and refused.
    description:
      'With `deactivateMissing`: the most users to deactivate, a number or a percentage of the active users; ' +
      `${AT_MOST} if absent.`,
  })
  @IsOnlyForMissing((value) => typeof value === 'string' && readAtMost(value) !== undefined)
  atMost?: string;

  @ApiPropertyOptional({
    type: [String],
    maxItems: LIMITS.idsInList,
    description: 'The id of a user who stays active. Repeat the parameter for each.',
  })
  @IsIds()
  @IsOnlyForMissing()
  keep?: string[];

  @ApiPropertyOptional({ default: false, description: 'Deactivates missing administrators as well.' })
  @IsOptional()
  @IsFlag()
  @IsOnlyForMissing()
  includeAdministrators?: boolean;

  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: LIMITS.name,
    description: 'The name of the file, for the journal.',
  })
  @IsOptional()
  @ValidateBy({ name: 'isName', validator: { validate: isName } })
  name?: string;

  @QueryReason()
  reason?: string;
}

/** A parameter that means something only with `deactivateMissing=true`. */
function IsOnlyForMissing(isValid: (value: unknown) => boolean = () => true): PropertyDecorator {
  const validate = (value: unknown, missing: boolean | undefined) => isValid(value) && (missing ?? false);
  return (target, property) => {
    IsOptional()(target, property);
    ValidateBy({
      name: 'isOnlyForMissing',
      validator: {
        validate: (value, given) =>
          value === false || validate(value, (given?.object as ImportQueryDto).deactivateMissing),
      },
    })(target, property as string);
  };
}

class KindCountsDto {
  @ApiProperty({ type: 'integer', example: 1 })
  users!: number;

  @ApiProperty({ type: 'integer' })
  workspaces!: number;

  @ApiProperty({ type: 'integer' })
  groups!: number;

  @ApiProperty({ type: 'integer' })
  permissions!: number;
}

class ImportChangeDto {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 5,
    description: 'Null for a user whom the file does not name.',
  })
  line!: number | null;

  @ApiProperty({ enum: ['user', 'workspace', 'group', 'permission'] })
  record!: string;

  @ApiProperty({ example: 'ben' })
  id!: string;

  @ApiProperty({ enum: ['created', 'changed', 'deactivated'], example: 'changed' })
  change!: string;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'The fields that differ.' })
  before!: object;

  @ApiProperty({ type: 'object', additionalProperties: true })
  after!: object;
}

class ImportWarningDto {
  @ApiProperty({ type: 'integer', example: 5 })
  line!: number;

  @ApiProperty({ example: 'the id "815.0" is new, and looks like "00815", who exists' })
  message!: string;
}

export class ImportResultDto {
  @ApiProperty()
  created!: KindCountsDto;

  @ApiProperty()
  changed!: KindCountsDto;

  @ApiProperty()
  unchanged!: KindCountsDto;

  @ApiProperty({ type: 'integer', description: 'Users whom the file deactivates, or does not name.' })
  deactivated!: number;

  @ApiProperty({ type: 'integer', description: 'Active users whom the file does not name, and who stay active.' })
  spared!: number;

  @ApiPropertyOptional({
    type: [ImportWarningDto],
    description: `The first ${FILE_LIMITS.warnings} good lines that may be wrong. Absent if there are none.`,
  })
  warnings?: ImportWarningDto[];

  @ApiPropertyOptional({ type: [ImportChangeDto], description: `The first ${FILE_LIMITS.changes}; of a dry run.` })
  changes?: ImportChangeDto[];
}

export class ImportAnswerDto {
  @ApiProperty({ type: 'integer', enum: [200] })
  status!: 200;

  @ApiProperty({ example: 'The file was imported.' })
  message!: string;

  @ApiProperty()
  result!: ImportResultDto;
}
