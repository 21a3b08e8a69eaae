/**
 * Sorts values by a text in the order of the database (collation C). JavaScript compares UTF-16 units, which orders
 * some characters differently.
 */
export function inOrderOfBytes<Value>(values: readonly Value[], textOf: (value: Value) => string): Value[] {
  return values
    .map((value) => ({ value, bytes: Buffer.from(textOf(value)) }))
    .sort((one, other) => Buffer.compare(one.bytes, other.bytes))
    .map(({ value }) => value);
}
