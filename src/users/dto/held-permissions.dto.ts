import { IsOptional, IsString } from 'class-validator';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { DEFAULT_PAGE_LIMIT, PageLimit } from '../../openapi/page-limit.decorator';
import { LIMITS } from '../../contract/limits';
import { Next } from '../../records/record.dto';
import { USER_TYPES, type UserType } from '../../contract/directory';
import { type Actor, ACTOR_KINDS } from '../../contract/journal';

export class HeldPermissionsQueryDto {
  @PageLimit(LIMITS.recordsPage)
  limit: number = DEFAULT_PAGE_LIMIT;

  @ApiPropertyOptional({ description: 'The `next` of the previous page.' })
  @IsOptional()
  @IsString()
  cursor?: string;
}

/** The source of a user's permission. */
export type SourcePlace =
  { kind: 'user' } | { kind: 'workspace'; id: string } | { kind: 'group'; id: string; workspace: string };

/** One source of a user's permission, with its origin; null if the journal does not have it. */
export type PermissionSource = SourcePlace & {
  /** When the membership of the place ends: ISO 8601, UTC. Only if it has an end. */
  until?: string;
  /** ISO 8601, UTC. */
  since: string | null;
  actor: Actor | null;
  reason: string | null;
};

const SOURCE = {
  type: 'object' as const,
  required: ['kind', 'since', 'actor', 'reason'],
  properties: {
    kind: {
      type: 'string',
      enum: ['user', 'workspace', 'group'],
      description: 'The kind of holder of the permission.',
    },
    id: { type: 'string', description: 'The workspace or the group.' },
    workspace: { type: 'string', description: 'The workspace of the group.' },
    until: { type: 'string', format: 'date-time', description: 'When the membership of it ends, if it has an end.' },
    since: { type: ['string', 'null'], format: 'date-time', description: 'The time of the change that created it.' },
    actor: {
      type: ['object', 'null'],
      description: 'The caller that made that change.',
      required: ['kind', 'id'],
      properties: { kind: { type: 'string', enum: [...ACTOR_KINDS] }, id: { type: 'string' } },
    },
    reason: { type: ['string', 'null'], description: 'The given reason, if any.' },
  },
} satisfies object;

/** A permission that a user effectively holds. */
export class HeldPermissionDto {
  @ApiProperty()
  id!: string;

  @ApiProperty({ enum: USER_TYPES })
  grants!: UserType;

  @ApiProperty({
    type: Boolean,
    nullable: true,
    description: 'Whether it grants the type of the user; null if an application derives types by a rule of its own.',
  })
  earnsType!: boolean | null;

  @ApiProperty({
    type: 'array',
    items: SOURCE as object,
    description: 'The sources of the permission.',
    maxItems: LIMITS.sources,
  })
  sources!: PermissionSource[];

  @ApiPropertyOptional({ type: 'integer', description: 'The number of further sources.' })
  more?: number;
}

/** Where an application derives the types, no permission explains one: the example has `rule`, too. */
const BY_A_GROUP: HeldPermissionDto = {
  id: 'workspace.manage',
  grants: 'manager',
  earnsType: null,
  sources: [
    {
      kind: 'group',
      id: 'atlas-managers',
      workspace: 'atlas',
      since: '2030-01-01T12:00:00.000Z',
      actor: { kind: 'user', id: 'ada' },
      reason: 'Leads the editors',
    },
  ],
};

export class HeldPermissionsDto {
  @ApiProperty({ enum: USER_TYPES, example: 'manager' })
  type!: UserType;

  @ApiPropertyOptional({
    enum: ['application'],
    description: 'Only if an application derives types by a rule of its own, so that no permission explains the type.',
  })
  rule?: 'application';

  @Next()
  next!: string | null;

  @ApiProperty({ type: [HeldPermissionDto], example: [BY_A_GROUP], description: 'In order of id.' })
  permissions!: HeldPermissionDto[];
}
