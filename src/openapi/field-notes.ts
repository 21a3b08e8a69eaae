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
    description: 'Left out, the service makes one: a UUID of version 7.',
  },
  name: { type: 'string', minLength: 1, maxLength: LIMITS.name },
  email: {
    type: 'string',
    nullable: true,
    minLength: LIMITS.emailAtLeast,
    maxLength: LIMITS.email,
    description: 'With an `@` inside. No other user has it, whatever its case.',
  },
  displayName: { type: 'string', nullable: true, minLength: 1, maxLength: LIMITS.name },
  description: { type: 'string', nullable: true, maxLength: LIMITS.description },
  status: { type: 'string', enum: [...USER_STATUSES, null], nullable: true, default: 'active' },
  grants: { enum: USER_TYPES, description: 'The user type that holding the permission earns.' },
  permissions: ids('The ids of the permissions to give.'),
  allPermissions: ids('The ids of all permissions that are given from now on. Those that are not here are taken.'),
  workspaces: ids('The ids of the workspaces that the user is in.'),
  groups: ids('The ids of the groups that the user is in. Their workspaces must be listed, too.'),
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
