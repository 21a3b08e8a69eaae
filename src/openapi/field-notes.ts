import type { ApiPropertyOptions } from '@nestjs/swagger';
import { USER_STATUSES, USER_TYPES } from '../contract/directory';
import { LIMITS } from '../contract/limits';

/** The documentation of the fields of records. */
export const FIELD_NOTES = {
  id: {
    type: 'string',
    nullable: true,
    minLength: 1,
    maxLength: LIMITS.identifier,
    description: 'Default: a generated UUID of version 7.',
  },
  name: { type: 'string', minLength: 1, maxLength: LIMITS.name },
  email: {
    type: 'string',
    nullable: true,
    minLength: LIMITS.emailAtLeast,
    maxLength: LIMITS.email,
    description: 'Contains an `@`. Unique, regardless of case.',
  },
  displayName: { type: 'string', nullable: true, minLength: 1, maxLength: LIMITS.name },
  description: { type: 'string', nullable: true, maxLength: LIMITS.description },
  status: { type: 'string', enum: [...USER_STATUSES, null], nullable: true, default: 'active' },
  grants: { enum: USER_TYPES, description: 'The user type that the permission grants.' },
  permissions: ids('The ids of the permissions to give.'),
  allPermissions: ids('The ids of all direct permissions. Others are removed.'),
  workspaces: ids('The ids of the workspaces of the user.'),
  groups: ids('The ids of the groups of the user. `workspaces` must list their workspaces.'),
} satisfies Record<string, ApiPropertyOptions>;

function ids(description: string) {
  return {
    type: 'array' as const,
    items: { type: 'string' as const },
    nullable: true,
    maxItems: LIMITS.idsInRecord,
    description,
  };
}
