import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { USER_STATUSES, USER_TYPES } from '../contract/directory';
import { isStorableInstant } from '../contract/instants';
import { isNewIdentifier, isNewUserId, NEW_ID_RULE } from '../contract/identifiers';
import { LIMITS } from '../contract/limits';
import { isDescription, isEmail, isName, isUserStatus, isUserType } from '../contract/record-fields';
import { Field, IdListField, NullableField, OptionalField } from '../server/body-field.decorators';

/**
 * A field that a body can set: its documentation and its rule, from `contract/record-fields.ts`. A list of ids has a
 * rule of its own.
 */
type RecordFieldNotes = ApiPropertyOptions & { accepts?: (value: unknown) => boolean };

const NEW_ID_NOTE = `Default: a generated UUID of version 7. A new id ${NEW_ID_RULE}.`;
const NEW_ID = { type: 'string', nullable: true, minLength: 1, maxLength: LIMITS.identifier } as const;

const FIELDS = {
  id: { accepts: isNewIdentifier, ...NEW_ID, description: NEW_ID_NOTE },
  userId: {
    accepts: isNewUserId,
    ...NEW_ID,
    description: `${NEW_ID_NOTE} It is not the name of an operation below \`/api/users\`.`,
  },
  name: { accepts: isName, type: 'string', minLength: 1, maxLength: LIMITS.name },
  email: {
    accepts: isEmail,
    type: 'string',
    nullable: true,
    minLength: LIMITS.emailAtLeast,
    maxLength: LIMITS.email,
    description:
      'Has exactly one `@`, with text on both sides, and neither white space nor control and format characters, ' +
      'and does not begin with `mailto:`. ' +
      'Stored in NFC. Unique, regardless of case.',
  },
  displayName: { accepts: isName, type: 'string', nullable: true, minLength: 1, maxLength: LIMITS.name },
  description: { accepts: isDescription, type: 'string', nullable: true, maxLength: LIMITS.description },
  status: { accepts: isUserStatus, type: 'string', enum: [...USER_STATUSES, null], nullable: true, default: 'active' },
  activeUntil: {
    accepts: isStorableInstant,
    type: 'string',
    format: 'date-time',
    nullable: true,
    example: '2030-01-01T00:00:00Z',
    description: 'When the user is deactivated: ISO 8601 with an offset, ahead, at most ten years. Null: never.',
  },
  grants: { accepts: isUserType, enum: USER_TYPES, description: 'The user type that the permission grants.' },
  permissions: ids('The ids of the permissions to give.'),
  allPermissions: ids('The ids of all direct permissions. Others are removed.'),
  workspaces: ids('The ids of the workspaces of the user.'),
  connectedWorkspaces: ids('The ids of further workspaces, whose groups the identity provider sees and fills.'),
  groups: ids('The ids of the groups of the user. `workspaces` must list their workspaces.'),
} satisfies Record<string, RecordFieldNotes>;

/** A field of a record that is created or changed. */
export function RecordField(name: keyof typeof FIELDS): PropertyDecorator {
  const { accepts, ...notes }: RecordFieldNotes = FIELDS[name];
  const optional = 'nullable' in notes ? NullableField : OptionalField;
  return applyDecorators(ApiPropertyOptional(notes), accepts ? optional(accepts) : IdListField());
}

/** As {@link RecordField}, for a field that must be given. */
export function RequiredField(name: 'name' | 'grants'): PropertyDecorator {
  const { accepts, ...notes } = FIELDS[name];
  return applyDecorators(ApiProperty(notes), Field(accepts));
}

function ids(description: string) {
  return {
    type: 'array' as const,
    items: { type: 'string' as const },
    nullable: true,
    maxItems: LIMITS.idsInRecord,
    description,
  };
}
