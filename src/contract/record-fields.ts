import { USER_STATUSES, USER_TYPES, type UserStatus, type UserType } from './directory';
import { isEmail, isTextOf, isUserStatus, isUserType, toEmail } from './field.rules';
import { isStorableInstant } from './instants';
import { LIMITS } from './limits';

/**
 * A field of a record: what is to be known of it wherever fields are listed, such as bodies, the journal, files and the
 * OpenAPI document. Ids, lists of ids and time-stamps have rules of their own.
 */
export interface RecordField<Value = unknown> {
  column: string;
  /** The type of the column. */
  type: 'text' | 'timestamptz' | 'user_type' | 'user_status';
  nullable?: true;
  /** Who alone sets it: the service, or the creation and files. Otherwise a PATCH sets it as well. */
  setBy?: 'service' | 'creation';
  /** An erasure takes it out of the journal. `journal/sql/personal_facts.sql` names the same. */
  isPersonal?: true;
  /** Entries about a new or deleted record name it even if it is null. Older entries lack later fields. */
  isAlwaysFact?: true;
  accepts(value: unknown): value is Value;
  /** The form in which an accepted value is stored. */
  toStored?(value: Value): Value;
  /** Its values in the OpenAPI document. */
  schema: FieldSchema;
  /** What the document says of it in a request. A field with a default can be null in one. */
  given?: { description?: string; example?: string; default?: string };
  /** What the document says of it in an answer. */
  told: { description?: string; example: string | null };
  /** What a line of NDJSON must be, and what a cell of a table must do. */
  inFiles: { line: string; cell: string };
}

interface FieldSchema {
  type: 'string';
  format?: 'date-time';
  enum?: readonly string[];
  minLength?: number;
  maxLength?: number;
}

function text(atLeast: number, atMost: number, what: string) {
  const length = atLeast > 0 ? `${atLeast} to ${atMost}` : `at most ${atMost}`;
  return {
    type: 'text' as const,
    accepts: (value: unknown): value is string => isTextOf(value, atLeast, atMost),
    schema: { type: 'string' as const, ...(atLeast > 0 && { minLength: atLeast }), maxLength: atMost },
    inFiles: {
      line: `a string of ${length} characters, without NUL or lone surrogates`,
      cell: `hold ${what} of ${length} characters`,
    },
  };
}

function choice(values: readonly string[]) {
  const among = `one of ${values.join(', ')}`;
  return { schema: { type: 'string' as const, enum: values }, inFiles: { line: among, cell: `be ${among}` } };
}

const name = { column: 'name', ...text(1, LIMITS.name, 'a name') };

/** In the order of answers and files. */
export const RECORD_FIELDS = {
  user: {
    email: {
      column: 'email',
      type: 'text',
      nullable: true,
      isPersonal: true,
      isAlwaysFact: true,
      accepts: isEmail,
      toStored: toEmail,
      schema: { type: 'string', minLength: LIMITS.emailAtLeast, maxLength: LIMITS.email },
      given: {
        description:
          'Has exactly one `@`, with text on both sides, and neither white space nor control and format characters, ' +
          'and does not begin with `mailto:`. ' +
          'Stored in NFC. Unique, regardless of case.',
      },
      told: { example: 'ada@example.com', description: 'Unique, regardless of case.' },
      inFiles: {
        line:
          'an address with one @, without white space or invisible characters, of ' +
          `${LIMITS.emailAtLeast} to ${LIMITS.email} characters`,
        cell:
          'hold an address with one @, without blanks or invisible characters, of ' +
          `${LIMITS.emailAtLeast} to ${LIMITS.email} characters`,
      },
    },
    displayName: {
      column: 'display_name',
      ...text(1, LIMITS.name, 'a name'),
      nullable: true,
      isPersonal: true,
      isAlwaysFact: true,
      told: { example: 'Ada' },
    },
    type: {
      column: 'type',
      type: 'user_type',
      setBy: 'service',
      accepts: isUserType,
      ...choice(USER_TYPES),
      told: { example: 'administrator', description: 'The highest type that the permissions of the user grant.' },
    },
    status: {
      column: 'status',
      type: 'user_status',
      setBy: 'creation',
      isAlwaysFact: true,
      accepts: isUserStatus,
      ...choice(USER_STATUSES),
      given: { default: 'active' },
      told: { example: 'active' },
    },
    activeUntil: {
      column: 'active_until',
      type: 'timestamptz',
      nullable: true,
      accepts: isStorableInstant,
      schema: { type: 'string', format: 'date-time' },
      given: {
        example: '2030-01-01T00:00:00Z',
        description: 'When the user is deactivated: ISO 8601 with an offset, ahead, at most ten years. Null: never.',
      },
      told: { example: null, description: 'When the user is deactivated; null if never.' },
      inFiles: {
        line: 'a time with an offset, such as 2030-01-01T00:00:00Z',
        cell: 'hold a time with an offset, such as 2030-01-01T00:00:00Z',
      },
    },
  },
  workspace: { name: { ...name, told: { example: 'Atlas' } } },
  group: { name: { ...name, told: { example: 'Editors' } } },
  permission: {
    description: {
      column: 'description',
      ...text(0, LIMITS.description, 'a text'),
      nullable: true,
      told: { example: 'Edit content' },
    },
    grants: {
      column: 'grants',
      type: 'user_type',
      accepts: isUserType,
      ...choice(USER_TYPES),
      given: { description: 'The user type that the permission grants.' },
      told: { example: 'member', description: 'The user type that the permission grants.' },
    },
  },
} as const satisfies Record<string, Record<string, RecordField>>;

type Fields = typeof RECORD_FIELDS;
export type RecordKind = keyof Fields;

/** The value of a field as it crosses the wire. */
type ValueOf<Field> =
  | (Field extends { type: 'user_type' }
      ? UserType
      : Field extends { type: 'user_status' }
        ? UserStatus
        : Field extends RecordField
          ? string
          : never)
  | (Field extends { nullable: true } ? null : never);
export type FieldValues<Kind extends RecordKind> = {
  -readonly [Name in keyof Fields[Kind]]: ValueOf<Fields[Kind][Name]>;
};

type NamesOf<Kind extends RecordKind, Field> = {
  [Name in keyof Fields[Kind]]: Fields[Kind][Name] extends Field ? Name : never;
}[keyof Fields[Kind]];

/** The facts of a new or deleted record. */
export type FactsOf<Kind extends RecordKind> = Pick<FieldValues<Kind>, NamesOf<Kind, { isAlwaysFact: true }>> &
  Partial<Omit<FieldValues<Kind>, NamesOf<Kind, { setBy: 'service' } | { isAlwaysFact: true }>>>;

export type UserText = NamesOf<'user', { type: 'text' }>;

/** The fields of a kind, for those that read any of them. */
export function fieldsOf(kind: RecordKind): [name: string, field: RecordField][] {
  return Object.entries<RecordField>(RECORD_FIELDS[kind]);
}

/** The fields that somebody else than the service sets. */
export const writableFields = (kind: RecordKind) => fieldsOf(kind).filter(([, { setBy }]) => setBy !== 'service');

/** The facts of a user that an erasure removes. */
export const PERSONAL_FACTS = fieldsOf('user').flatMap(([name, { isPersonal }]) => (isPersonal ? [name] : []));

/** Fields that the service writes itself. A new user can have a status. */
export const DERIVED_FIELDS = ['type', 'status', 'createdAt', 'updatedAt'] as const;

/** Fields that a change cannot set: ids never change, and memberships have operations of their own. */
export const FIXED_FIELDS = ['id', 'workspaces', 'groups'] as const;
