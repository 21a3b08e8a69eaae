import { isStorableText } from '../contract/identifiers';
import { LIMITS } from '../contract/limits';
import { isUndefined } from './list-cursor';

/** The orders of lists, by the value of `sort`. Users have all of them, the other records `id`. */
export const USER_SORTS = ['id', '-createdAt', '-updatedAt', 'displayName'] as const;
export const ID_SORT = ['id'] as const;

export type ListSort = (typeof USER_SORTS)[number];

/**
 * An order of records, which an index has, with the id as the last column and the key included. The alias of the record
 * is `record`.
 */
export interface ListOrder {
  /** The column before the id. */
  column?: string;
  descending?: true;
  /**
   * A table of users in this order, with the columns `key`, `id` and that column; otherwise the table of the records.
   */
  source?: string;
  /** Whether a value of a cursor can be a value of the column; undefined without a column. */
  isValue(value: unknown): value is string | undefined;
}

export const LIST_ORDERS: Readonly<Record<ListSort, ListOrder>> = {
  id: { isValue: isUndefined },
  '-createdAt': { column: 'created_at', descending: true, isValue: isTimestamp },
  '-updatedAt': {
    column: 'updated_at',
    descending: true,
    source: '(SELECT user_key AS key, updated_at, id FROM user_updates)',
    isValue: isTimestamp,
  },
  displayName: { column: 'name_order', isValue: isNameOrder },
};

/** What `ORDER BY` says. */
export function orderBy({ column, descending }: ListOrder): string {
  const direction = descending ? ' DESC' : '';
  return [...(column ? [column] : []), 'id'].map((name) => `record.${name}${direction}`).join(', ');
}

/** PostgreSQL knows no year 0, and writes years of more than four digits in another way. */
function isTimestamp(value: unknown): value is string {
  if (typeof value !== 'string' || !/^(?!0000)\d{4}-/.test(value) || Number.isNaN(Date.parse(value))) return false;
  return new Date(value).toISOString() === value;
}

/** What the SQL function `name_order` returns. */
function isNameOrder(value: unknown): value is string {
  return isStorableText(value) && (value === '1' || (value.startsWith('0') && [...value].length <= LIMITS.name + 1));
}
