import { isDeepStrictEqual } from 'node:util';

/** The differing fields of two states, with the values of each. */
export interface ChangedFields<Fields> {
  changed: boolean;
  before: Partial<Fields>;
  after: Partial<Fields>;
}

/** Compares a record with a merge patch; undefined means that the field stays. */
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
