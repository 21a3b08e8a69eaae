import type { ErrorLocation, UserAdministrationError } from '@user-administration/client';
import type { VNode } from 'preact';
import { type MessageKey, t } from '../language/language.ts';

export type Value = string | boolean | readonly string[];
/** What stands in a form. An empty text is null on the wire. */
export type Values = Readonly<Record<string, Value>>;

export type Words = MessageKey | (string & {});

/** A kind of field that the pages add to those of the kit, such as a choice of workspaces. */
export interface OwnKind {
  show: (props: OwnInput) => VNode;
  isList?: true;
  /** The input shows the label itself. */
  hasLabel?: true;
  /** The names on the wire at which the service reports a fault, besides the field's own. */
  wireNames?: readonly string[];
}

/** What the input of a page's own kind is given. */
export interface OwnInput {
  field: Field;
  label: string;
  /** The attributes of the element in which one types. */
  common: Readonly<Record<string, unknown>>;
  value: Value;
  /** It is the first field of a form. */
  isFirst: boolean;
  onChange: (value: Value) => void;
}

/** One field of a form, by its name on the wire. */
export interface Field {
  name: string;
  label: MessageKey;
  /** `check` is one box, `checks` are several; `reason` says how many characters are left; `end` is a moment at which access ends. */
  kind: 'text' | 'long' | 'reason' | 'choice' | 'radio' | 'check' | 'checks' | 'end' | OwnKind;
  /** What one chooses from, by the value on the wire. A text that is no message, such as an id, stands as it is. */
  options?: Readonly<Record<string, Words>>;
  /** Of `checks`: the box for all of them. */
  all?: MessageKey;
  /** The most that can be chosen, such as workspaces. */
  most?: number;
  isRequired?: true;
  /** An address or another text from left to right in every language. */
  isCode?: true;
  hint?: MessageKey;
  /** What is wrong if the service says that it is invalid, or that a record which was chosen is gone. */
  invalid?: MessageKey;
}

const isList = (kind: Field['kind']): boolean =>
  kind === 'checks' || (typeof kind === 'object' && kind.isList === true);

/** What a record has in these fields. */
export function valuesOf(fields: readonly Field[], record: object): Values {
  const given = record as Record<string, Value | null | undefined>;
  return Object.fromEntries(fields.map(({ name, kind }) => [name, given[name] ?? (isList(kind) ? [] : '')]));
}

/** As it crosses the wire. */
export const wireOf = (value: Value | undefined): Value | null => (value === undefined || value === '' ? null : value);

/** The order of a list means nothing. */
export const same = (one: Value | undefined, other: Value | undefined): boolean => sorted(one) === sorted(other);
const sorted = (value: Value | undefined): string =>
  JSON.stringify(typeof value === 'object' ? [...value].sort() : value);

/** Characters of a reason, at most. */
const LONGEST_REASON = 500;
/** The characters that a reason has too many; negative: that are left. The service counts code points. */
export const reasonExcess = (reason: Value | undefined): number =>
  [...String(reason ?? '').trim()].length - LONGEST_REASON;
/** As it is sent. */
export const reasonOf = ({ reason }: Values): string | undefined => String(reason ?? '').trim() || undefined;

/** The faults that stand at a field of this form, by its name. */
export function faultsAt(fields: readonly Field[], error: UserAdministrationError): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const location of error.errors) {
    const at = fieldOf(location);
    const field = fields.find(
      ({ name, kind }) => name === at || (typeof kind === 'object' && kind.wireNames?.includes(at)),
    );
    if (field) faults[field.name] = error.code.endsWith('.invalid') && field.invalid ? t(field.invalid) : error.detail;
  }
  return faults;
}

const fieldOf = ({ pointer }: ErrorLocation): string => pointer.split('/')[1] ?? '';

/** Why something is done, for the journal. */
export const REASON: Field = { name: 'reason', label: 'change.reason', kind: 'reason', hint: 'change.reason.hint' };
