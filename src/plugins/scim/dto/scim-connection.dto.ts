import { isBoolean, isInt, IsOptional, IsString } from 'class-validator';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { Field, isIdentifier, LIMITS } from '../../door';
import { DEFAULT_PAGE_LIMIT, PageLimit } from '../../../openapi/page-limit.decorator';
import { Next } from '../../../records/record.dto';
import { RecordField, RequiredField } from '../../../records/record-field.decorators';
import { IdListField, NullableField, OptionalField, ReadOnlyFields } from '../../../server/body-field.decorators';
import { ID_SOURCES, type IdSource } from '../scim-connection.entity';
import { TOKEN_OVERLAP_SECONDS } from '../connection-token';

const NAME = { example: 'Okta' };
const WORKSPACE = {
  type: 'string',
  example: 'atlas',
  description: 'The id of the workspace in which new groups are made. The connection ends with it.',
} as const;
const WORKSPACES: ApiPropertyOptions = {
  type: [String],
  example: ['borealis'],
  description: 'The ids of further workspaces, whose groups the identity provider sees and fills.',
};
const ID_FROM = {
  enum: ID_SOURCES,
  description:
    'Where the id of a new user comes from. It must be what access tokens of these people have as their subject.',
  example: 'externalId' as const,
};
const MAY_GRANT = {
  type: 'boolean',
  example: false,
  description: 'Whether it may make, change, activate or take over administrators. It may always deactivate them.',
} as const;

export class ScimConnectionDto {
  @ApiProperty({ example: '01940000-0000-7000-8000-000000000000' })
  id!: string;

  @ApiProperty(NAME)
  name!: string;

  @ApiProperty(WORKSPACE)
  workspace!: string;

  @ApiProperty(WORKSPACES)
  workspaces!: string[];

  @ApiProperty(ID_FROM)
  idFrom!: IdSource;

  @ApiProperty(MAY_GRANT)
  mayGrantAdministrator!: boolean;

  @ApiProperty({ format: 'date-time', example: '2030-01-01T12:00:00.000Z' })
  createdAt!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    example: null,
    description: 'When it was used last, within a minute; null if never.',
  })
  lastUsedAt!: string | null;
}

export class ConnectionTokenDto {
  @ApiProperty({
    description: 'The bearer token for the identity provider. No other answer contains it.',
    example: 'scim_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8',
  })
  token!: string;
}

export class ScimConnectionWithTokenDto extends ScimConnectionDto {
  @ApiProperty({
    description: 'The bearer token for the identity provider. No other answer contains it.',
    example: 'scim_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8',
  })
  token!: string;
}

export class ScimConnectionPageDto {
  @ApiProperty({ type: [ScimConnectionDto], description: 'Oldest first.' })
  connections!: ScimConnectionDto[];

  @Next()
  next!: string | null;
}

export class ListConnectionsDto {
  @PageLimit(LIMITS.recordsPage)
  limit: number = DEFAULT_PAGE_LIMIT;

  @ApiPropertyOptional({ description: 'The `next` of the previous page.' })
  @IsOptional()
  @IsString()
  cursor?: string;
}

const FURTHER_WORKSPACES: ApiPropertyOptions = {
  type: 'array',
  items: { type: 'string' },
  nullable: true,
  maxItems: LIMITS.idsInRecord,
  description: 'The ids of further workspaces, whose groups the identity provider sees and fills.',
};

export class CreateConnectionDto {
  @RequiredField('name')
  name!: string;

  @ApiProperty(WORKSPACE)
  @Field(isIdentifier)
  workspace!: string;

  @ApiPropertyOptional(FURTHER_WORKSPACES)
  @IdListField()
  workspaces?: string[] | null;

  @ApiPropertyOptional({ ...ID_FROM, nullable: true, default: 'externalId' })
  @NullableField((value) => ID_SOURCES.some((source) => source === value))
  idFrom?: IdSource | null;

  @ApiPropertyOptional({ ...MAY_GRANT, nullable: true, default: false })
  @NullableField(isBoolean)
  mayGrantAdministrator?: boolean | null;
}

/** Missing fields stay as they are. Null clears the list, and removes the right to make administrators. */
@ReadOnlyFields('id', 'idFrom', 'createdAt', 'lastUsedAt')
export class ChangeConnectionDto {
  @RecordField('name')
  name?: string;

  @ApiPropertyOptional(WORKSPACE)
  @OptionalField(isIdentifier)
  workspace?: string;

  @ApiPropertyOptional(FURTHER_WORKSPACES)
  @IdListField()
  workspaces?: string[] | null;

  @ApiPropertyOptional({ ...MAY_GRANT, nullable: true })
  @NullableField(isBoolean)
  mayGrantAdministrator?: boolean | null;
}

export class RotateTokenDto {
  @ApiPropertyOptional({
    type: 'integer',
    nullable: true,
    minimum: 0,
    maximum: TOKEN_OVERLAP_SECONDS,
    default: TOKEN_OVERLAP_SECONDS,
    example: 3_600,
    description: 'The seconds for which the token before still works.',
  })
  @NullableField((value) => isInt(value) && Number(value) >= 0 && Number(value) <= TOKEN_OVERLAP_SECONDS)
  overlap?: number | null;
}
