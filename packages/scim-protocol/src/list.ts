import { type FilterNode, parseFilter } from './filter';
import { LIMITS } from './limits';
import { ScimRefusal } from './refusal';

/** The parameters of a list (RFC 7644 section 3.4.2), as a page needs them. Unknown parameters are ignored. */
export interface ListQuery {
  filter: FilterNode | undefined;
  count: number;
  /** From 1 on. */
  startIndex: number;
}

/** @throws ScimRefusal `invalidFilter`, `invalidValue` */
export function readListQuery(query: Readonly<Record<string, unknown>>): ListQuery {
  const filter = textOf(query, 'filter') ?? '';
  const count = Math.min(LIMITS.page, Math.max(0, numberOf(query, 'count') ?? LIMITS.defaultPage));
  const startIndex = Math.max(1, numberOf(query, 'startIndex') ?? 1);
  return { filter: filter === '' ? undefined : parseFilter(filter), count, startIndex };
}

/** A page of resources (RFC 7644 section 3.4.2). */
export interface ResourceList {
  schemas: string[];
  totalResults: number;
  itemsPerPage: number;
  startIndex: number;
  Resources: readonly object[];
}

export function listBody(
  resources: readonly object[],
  { total, startIndex }: { total: number; startIndex: number },
): ResourceList {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total,
    itemsPerPage: resources.length,
    startIndex,
    Resources: resources,
  };
}

/** The first value, in any case of the name. */
function textOf(query: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const [, given] = Object.entries(query).find(([key]) => key.toLowerCase() === name.toLowerCase()) ?? [];
  const [value] = [given].flat();
  return typeof value === 'string' ? value : undefined;
}

function numberOf(query: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const text = textOf(query, name)?.trim();
  if (text === undefined || text === '') return undefined;
  if (!/^-?\d+$/.test(text)) throw new ScimRefusal('invalidValue', `${name} is a whole number.`);
  // No list is longer.
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}
