import { isIdentifier, LIMITS } from '../door';
import { isStorableInstant, readInstant } from '../../contract/instants';
import { isNewIdentifier, isNewUserId } from '../../contract/identifiers';
import { RECORD_FIELDS, type RecordField, writableFields } from '../../contract/record-fields';
import { hasMoreStructureThan } from '@user-administration/http';
import { quote } from './import-error';

/** In the order of files: each kind after those that it refers to. */
export const RECORD_KINDS = ['permission', 'workspace', 'group', 'user'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** A record with well-formed fields and lists without repeats. Its references may still be unknown. */
export interface CheckedRecord {
  kind: RecordKind;
  record: Record<string, unknown>;
}

/** A record in a file, and the line on which it begins. */
export interface FileRecord {
  line: number;
  /** @throws RecordProblem */
  read(): CheckedRecord;
}

/** The error in a record, as words that follow the number of its line. */
export class RecordProblem extends Error {
  constructor(
    message: string,
    /** The kind and the id of the record, if they are known: other lines can refer to it. */
    readonly known?: CheckedRecord,
    /** The field whose value is wrong. */
    readonly field?: string,
  ) {
    super(message);
  }
}

interface Field {
  required?: true;
  expected: string;
  accepts(value: unknown): boolean;
}

const id: Field = {
  expected: `a string of 1 to ${LIMITS.identifier} characters without NUL or lone surrogates`,
  accepts: isIdentifier,
};
const ids: Field = {
  expected: `a list of ids, each ${id.expected}`,
  accepts: (value) => Array.isArray(value) && value.every(isIdentifier),
};
/** The declared fields. One that is neither nullable nor has a default must be given. */
const declared = (kind: RecordKind): Record<string, Field> =>
  Object.fromEntries(
    writableFields(kind).map(([name, { nullable, given, accepts, inFiles }]) => [
      name,
      {
        ...(!nullable && given?.default === undefined && { required: true as const }),
        expected: `${nullable ? 'null or ' : ''}${inFiles.line}`,
        accepts: (value) => (nullable === true && value === null) || accepts(value),
      },
    ]),
  );
const activeUntil: Field = {
  expected: `null or ${RECORD_FIELDS.user.activeUntil.inFiles.line}`,
  accepts: isEnd,
};
/** Ids, or memberships with their ends. */
const memberships: Field = {
  expected: `a list of ids, each ${id.expected}, or of {"id","until"} with ${activeUntil.expected}`,
  accepts: (value) => Array.isArray(value) && value.every((element) => isIdentifier(element) || isEnding(element)),
};
const required = (field: Field): Field => ({ ...field, required: true });

const FIELDS: Record<RecordKind, Record<string, Field>> = {
  permission: { id: required(id), ...declared('permission') },
  workspace: { id: required(id), ...declared('workspace'), permissions: ids },
  group: { id: required(id), ...declared('group'), workspace: required(id), permissions: ids },
  user: {
    id: required(id),
    ...declared('user'),
    activeUntil,
    permissions: ids,
    workspaces: memberships,
    groups: memberships,
  },
};

/**
 * Reads one line of NDJSON.
 *
 * @throws RecordProblem
 * @example readRecord('{"workspace":{"id":"atlas","name":"Atlas"}}')
 */
export function readRecord(line: string): CheckedRecord {
  if (line.length > LIMITS.bodyStructure && hasMoreStructureThan(LIMITS.bodyStructure, Buffer.from(line)))
    throw new RecordProblem(`more than ${LIMITS.bodyStructure.toLocaleString('en')} arrays, objects and fields`);
  const { kind, value } = readKind(parse(line));
  const checked = checkRecord(kind, value);
  refuseRepeatedKeys(line, countKeys(value) + 1);
  return checked;
}

/** @throws RecordProblem */
export function checkRecord(kind: RecordKind, record: unknown): CheckedRecord {
  if (!isObject(record)) throw new RecordProblem(`${kind} must be an object`);
  const problem = problemOf(kind, record);
  if (problem === undefined) return { kind, record: asStored(kind, record) };
  const known = isIdentifier(record.id) ? { kind, record: { id: record.id } } : undefined;
  throw new RecordProblem(problem.message, known, problem.field);
}

/** Whether a new record can get the id of a record that passed {@link checkRecord}. */
export function mayBeNew({ kind, record }: CheckedRecord): boolean {
  return kind === 'user' ? isNewUserId(record.id) : isNewIdentifier(record.id);
}

function problemOf(kind: RecordKind, record: Record<string, unknown>): { message: string; field?: string } | undefined {
  const fields = new Map(Object.entries(FIELDS[kind]));
  const unknown = Object.keys(record).find((key) => !fields.has(key));
  if (unknown !== undefined) return { message: unknownField(kind, unknown) };
  for (const [key, { required, expected, accepts }] of fields) {
    const given = Object.hasOwn(record, key);
    if (required && !given) return { message: `${kind}.${key} is missing` };
    if (given && !accepts(record[key])) return { message: `${kind}.${key} must be ${expected}`, field: key };
  }
  return undefined;
}

/**
 * A list is a set of ids: repeated ids count once, with the last end of them. The ends that the lists set exactly stand
 * in `ends`, by list and id. An email is in NFC, and a time in UTC.
 */
function asStored(kind: RecordKind, record: Record<string, unknown>): Record<string, unknown> {
  const fields: Record<string, RecordField> = RECORD_FIELDS[kind];
  const ends: Record<string, Record<string, string | null>> = {};
  const values = Object.entries(record).map(([key, value]) => {
    if (key === 'activeUntil') return [key, timeOf(value)];
    if (!Array.isArray(value)) return [key, value === null ? null : (fields[key]?.toStored?.(value) ?? value)];
    const ending = value.filter(isEnding);
    if (ending.length > 0) ends[key] = Object.fromEntries(ending.map(({ id, until }) => [id, timeOf(until)]));
    return [key, [...new Set(value.map((element: unknown) => (isEnding(element) ? element.id : element)))]];
  });
  return { ...(Object.fromEntries(values) as object), ...(Object.keys(ends).length > 0 && { ends }) };
}

/** Other systems write the year 9999 for an account or a membership that does not end. */
const isNever = (value: unknown): boolean =>
  typeof value === 'string' &&
  value.startsWith('9999') &&
  [value, `${value}T00:00Z`].some((time) => readInstant(time) !== undefined);

function isEnd(value: unknown): boolean {
  return value === null || isNever(value) || isStorableInstant(value);
}

const timeOf = (value: unknown): string | null => (isNever(value) ? null : (readInstant(value)?.toISOString() ?? null));

/** A membership that sets its end. */
function isEnding(value: unknown): value is { id: string; until: string | null } {
  return isObject(value) && Object.keys(value).length === 2 && isIdentifier(value.id) && isEnd(value.until);
}

function countKeys(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, element) => sum + countKeys(element), 0);
  if (!isObject(value)) return 0;
  return Object.values(value).reduce((sum: number, element) => sum + 1 + countKeys(element), 0);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new RecordProblem('not valid JSON');
  }
}

function readKind(document: unknown): { kind: RecordKind; value: unknown } {
  const [entry, ...more] = isObject(document) ? Object.entries(document) : [];
  const kind = RECORD_KINDS.find((known) => known === entry?.[0]);
  if (!entry || !kind || more.length > 0) {
    throw new RecordProblem(`must be an object with exactly one of the keys ${RECORD_KINDS.join(', ')}`);
  }
  return { kind, value: entry[1] };
}

function unknownField(kind: RecordKind, key: string): string {
  return kind === 'user' && key === 'type'
    ? 'user.type cannot be imported: it follows from the permissions that the user holds'
    : `${kind} has an unknown field ${quote(key)}`;
}

/**
 * `JSON.parse` silently keeps the last of several equal keys. Each key has one colon outside strings.
 */
function refuseRepeatedKeys(line: string, keys: number): void {
  let [colons, isText] = [0, false];
  for (let at = 0; at < line.length; at++) {
    const character = line.charCodeAt(at);
    if (character === QUOTE) isText = !isText;
    else if (character === BACKSLASH) at++;
    else if (character === COLON && !isText) colons++;
  }
  if (colons > keys) throw new RecordProblem('the same key stands twice in one object');
}

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
