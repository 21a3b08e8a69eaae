import { type FieldValues, RECORD_FIELDS, type RecordKind } from '../contract/record-fields';

type Names<Kind extends RecordKind> = keyof FieldValues<Kind>;

/** The declared fields of a row as they cross the wire. What a row lacks is undefined. */
export function fieldValues<Kind extends RecordKind, Row extends Partial<Record<Names<Kind>, unknown>>>(
  kind: Kind,
  row: Row,
): Pick<FieldValues<Kind>, Names<Kind> & keyof Row> {
  const names = Object.keys(RECORD_FIELDS[kind]) as Names<Kind>[];
  const values = names.map((name) => [name, onWire(row[name])] as const);
  return Object.fromEntries(values) as Pick<FieldValues<Kind>, Names<Kind> & keyof Row>;
}

const onWire = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value);
