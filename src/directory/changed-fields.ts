import { isDeepStrictEqual } from 'node:util';

/** The fields in which two states differ, as each of them has it. */
export interface ChangedFields<Fields> {
  changed: boolean;
  before: Partial<Fields>;
  after: Partial<Fields>;
}

/** Compares what a record is with what a merge patch wants; undefined means that the field stays. */
export function changedFields<Fields extends object>(
  record: Fields,
  wanted: { [Name in keyof Fields]: Fields[Name] | undefined },
): ChangedFields<Fields> {
  const names = (Object.keys(record) as (keyof Fields)[]).filter(
    (name) => wanted[name] !== undefined && !isDeepStrictEqual(wanted[name], record[name]),
  );
  const only = (fields: object) =>
    Object.fromEntries(names.map((name) => [name, Reflect.get(fields, name)])) as Partial<Fields>;
  return { changed: names.length > 0, before: only(record), after: only(wanted) };
}
