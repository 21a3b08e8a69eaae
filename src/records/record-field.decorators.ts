import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { isNewIdentifier, isNewUserId, NEW_ID_RULE } from '../contract/identifiers';
import { LIMITS } from '../contract/limits';
import { RECORD_FIELDS, type RecordField as FieldDeclaration, type RecordKind } from '../contract/record-fields';
import { Field, IdListField, NullableField, OptionalField } from '../server/body-field.decorators';

/** A field that a body can set: its documentation and its rule. A list of ids has a rule of its own. */
type RecordFieldNotes = ApiPropertyOptions & { accepts?: (value: unknown) => boolean };

const NEW_ID_NOTE = `Default: a generated UUID of version 7. A new id ${NEW_ID_RULE}.`;
const NEW_ID = { type: 'string', nullable: true, minLength: 1, maxLength: LIMITS.identifier } as const;

const OTHERS = {
  id: { accepts: isNewIdentifier, ...NEW_ID, description: NEW_ID_NOTE },
  userId: {
    accepts: isNewUserId,
    ...NEW_ID,
    description: `${NEW_ID_NOTE} It is not the name of an operation below \`/api/users\`.`,
  },
  permissions: ids('The ids of the permissions to give.'),
  allPermissions: ids('The ids of all direct permissions. Others are removed.'),
  workspaces: ids('The ids of the workspaces of the user.'),
  groups: ids('The ids of the groups of the user. `workspaces` must list their workspaces.'),
} satisfies Record<string, RecordFieldNotes>;

/** The declared fields of all kinds. Those of one name have one rule. */
const DECLARED = { ...RECORD_FIELDS.user, ...RECORD_FIELDS.workspace, ...RECORD_FIELDS.permission };

function declared(name: keyof typeof DECLARED) {
  const { accepts, schema, given, nullable }: FieldDeclaration = DECLARED[name];
  const canBeNull = nullable ?? given?.default !== undefined;
  const values = schema.enum && { enum: canBeNull ? [...schema.enum, null] : [...schema.enum] };
  const notes = { ...schema, ...values, ...(canBeNull && { nullable: true }), ...given } as ApiPropertyOptions;
  return { accepts, notes };
}

/** A field of a record that is created or changed. */
export function RecordField(name: keyof typeof DECLARED | keyof typeof OTHERS): PropertyDecorator {
  const { accepts, ...notes }: RecordFieldNotes =
    name in OTHERS
      ? OTHERS[name as keyof typeof OTHERS]
      : (({ accepts, notes }) => ({ accepts, ...notes }))(declared(name as keyof typeof DECLARED));
  const optional = 'nullable' in notes ? NullableField : OptionalField;
  return applyDecorators(ApiPropertyOptional(notes), accepts ? optional(accepts) : IdListField());
}

/** As {@link RecordField}, for a field that must be given. */
export function RequiredField(name: 'name' | 'grants'): PropertyDecorator {
  const { accepts, notes } = declared(name);
  return applyDecorators(ApiProperty(notes), Field(accepts));
}

/** A declared field in an answer. */
export function ToldField<Kind extends RecordKind>(
  kind: Kind,
  name: keyof (typeof RECORD_FIELDS)[Kind] & string,
): PropertyDecorator {
  const fields: Record<string, FieldDeclaration> = RECORD_FIELDS[kind];
  const { schema, nullable, told } = fields[name] as FieldDeclaration;
  const values = schema.enum ? { enum: [...schema.enum] } : { type: String };
  const format = schema.format && { format: schema.format };
  return ApiProperty({ ...values, ...format, ...(nullable && { nullable }), ...told } as ApiPropertyOptions);
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
