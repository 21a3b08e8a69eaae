import { ApiProperty } from '../../openapi/documentation.decorators';
import { USER_TYPES, type UserType } from '../../contract/directory';
import { ACTOR_KINDS } from '../../contract/journal';
import type { HeldPermission, HeldPermissions, PermissionSource } from '../../contract/permission-sources';

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

class HeldPermissionDto implements HeldPermission {
  @ApiProperty({ example: 'users.administer' })
  id!: string;

  @ApiProperty({ enum: USER_TYPES, example: 'administrator' })
  grants!: UserType;

  @ApiProperty({ description: 'Whether it grants the type of the user.' })
  earnsType!: boolean;

  @ApiProperty({ type: 'array', items: SOURCE as object, description: 'All sources of the permission.' })
  sources!: PermissionSource[];
}

export class HeldPermissionsDto implements HeldPermissions {
  @ApiProperty({ enum: USER_TYPES, example: 'administrator' })
  type!: UserType;

  @ApiProperty({ type: [HeldPermissionDto], description: 'In order of id.' })
  permissions!: HeldPermission[];
}
