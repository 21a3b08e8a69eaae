import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { ListPosition } from './list-cursor';
import { all, byKey, type FilteredList, type ListFilter } from './list-sets';
import type { ListWay } from './list-ways';

const ORDER = { id: 'record.id', '-createdAt': 'record.created_at DESC, record.id DESC' };
const FIRST = { id: 'record.id', '-createdAt': 'record.created_at' };
/** The first column of the order where PostgreSQL must not use the index of the order: it might walk through all records. */
const UNINDEXED = { id: `(record.id || '')`, '-createdAt': `(record.created_at + interval '0')` };

/** The fields of every listed record. */
export interface Listed extends ObjectLiteral {
  id: string;
  createdAt: Date;
}

export interface PageRequest<Record extends ObjectLiteral = ObjectLiteral> extends FilteredList {
  records(): SelectQueryBuilder<Record>;
  limit: number;
  order: 'id' | '-createdAt';
  after?: ListPosition;
}

/** The next records in order. Their order and keys come from an index, so only the matches themselves are read. */
export function walkOver(page: PageRequest, columns: 'key' | '*'): string {
  return `SELECT ${columns} FROM ${page.table} AS record WHERE ${all(walkedBy(page))} ORDER BY ${ORDER[page.order]}`;
}

/** The keys of the matches in the records of a walk, until the page is full. */
export function keysOneByOne(page: PageRequest, next: string): string {
  const tests = page.filters.filter((filter) => !walkedIn(page).includes(filter));
  const hasSets = tests.some(({ kind }) => kind === 'set');
  const conditions = all(tests.map((filter) => (hasSets ? byKey(page.table, filter) : filter.probe)));
  return `SELECT record.key FROM (${next}) AS record WHERE ${conditions} ORDER BY ${ORDER[page.order]} LIMIT ${page.limit + 1}`;
}

/** The keys of the page among those of a source. The sets are joined before any key is tested, and keys are tested before any record. */
export function keysAmong(page: PageRequest, { from, joined }: ListWay, source: string | undefined): string {
  const others = page.filters.filter((filter) => (filter !== from || !source) && !joined.includes(filter));
  const byKeys = source ? others.filter(({ kind }) => kind === 'set') : [];
  const tests = [...others.filter((filter) => !byKeys.includes(filter)), after(page, UNINDEXED[page.order])];
  if (source) {
    const joins = joined.map(({ keys }, index) => `JOIN (${keys}) AS set${index} ON set${index}.key = record.key`);
    const found = `SELECT record.key FROM (${source}) AS record ${joins.join(' ')} OFFSET 0`;
    const matching = `SELECT record.key FROM (${found}) AS record WHERE ${all(byKeys.map(({ probe }) => probe))}`;
    tests.unshift({ parameters: {}, probe: `record.key = ANY(ARRAY(${matching}))` });
  }
  const order = ORDER[page.order].replace(FIRST[page.order], UNINDEXED[page.order]);
  return `SELECT record.key FROM ${page.table} AS record WHERE ${all(tests.map(({ probe }) => probe))}
    ORDER BY ${order} LIMIT ${page.limit + 1}`;
}

export function walkedIn({ filters, order }: PageRequest): ListFilter[] {
  return filters.filter((filter) => isWalked(filter, order));
}

export function walkedBy(page: PageRequest): string[] {
  return [after(page), ...walkedIn(page)].map(({ probe }) => probe);
}

export function after({ order, after }: PageRequest, first = FIRST[order]): Pick<ListFilter, 'parameters' | 'probe'> {
  if (!after) return { parameters: {}, probe: 'true' };
  const { id, detail } = after;
  return order === 'id'
    ? { parameters: { afterId: id }, probe: `${first} > :afterId` }
    : {
        parameters: { afterId: id, afterCreatedAt: detail },
        probe: `(${first}, record.id) < (:afterCreatedAt, :afterId)`,
      };
}

export function parametersOf(page: PageRequest): ObjectLiteral {
  const conditions = [...page.filters, after(page)];
  return Object.assign({}, ...conditions.map(({ parameters }) => parameters)) as ObjectLiteral;
}

/** Whether an index has the matches of this filter in the order of the page. */
function isWalked({ kind, keys }: ListFilter, order: PageRequest['order']): boolean {
  return order === 'id' && kind === 'column' && keys !== undefined;
}
