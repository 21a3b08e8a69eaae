import { createHash } from 'node:crypto';
import { type FilterNode, parseFilter } from '@user-administration/scim-protocol';
import { ListCursor } from '../records/list-cursor';
import { ScimError } from './scim-error';
import { DEFAULT_PAGE, LIST_SCHEMA, SCIM_PAGE } from './scim-protocol';

/** The query parameters of a list. Unknown ones are ignored: Entra ID sends a flag. */
export type ScimQuery = Record<string, unknown>;

/** Which page of a list is asked for (RFC 7644 section 3.4.2, RFC 9865). */
export interface PageRequest {
  filter: FilterNode | undefined;
  count: number;
  /** From 1 on; undefined for a page by cursor. */
  startIndex: number | undefined;
  /** The key of the last resource of the page before. */
  after: string | undefined;
  /** Writes the cursor of the page after a resource with this key. */
  cursorAfter(key: string): string;
}

/** A page of resources (RFC 7644 section 3.4.2). */
export interface ResourceList<Resource> {
  schemas: string[];
  totalResults?: number;
  itemsPerPage: number;
  startIndex?: number;
  nextCursor?: string;
  Resources: Resource[];
}

/**
 * @param list the name of the list, to which its cursors belong
 * @throws ScimError `invalidFilter`, `invalidValue`, `invalidCursor`
 */
export function pageRequestOf(query: ScimQuery, list: string): PageRequest {
  const filter = textOf(query, 'filter') || undefined;
  const count = Math.min(SCIM_PAGE, Math.max(0, numberOf(query, 'count') ?? DEFAULT_PAGE));
  const cursor = textOf(query, 'cursor');
  const cursors = new ListCursor([
    list,
    createHash('sha256')
      .update(filter ?? '')
      .digest('base64url'),
  ]);
  return {
    filter: filter === undefined ? undefined : parseFilter(filter),
    count,
    startIndex: cursor === undefined ? Math.max(1, numberOf(query, 'startIndex') ?? 1) : undefined,
    after: cursor === undefined || cursor === '' ? undefined : readCursor(cursors, cursor),
    cursorAfter: (key) => cursors.write({ id: key }),
  };
}

/**
 * @param total the number of all; undefined for a page by cursor
 * @param end the key after which the next page begins; undefined for the last page
 */
export function listOf<Resource>(
  { startIndex, cursorAfter }: PageRequest,
  fitting: Resource[],
  total: number | undefined,
  end: string | undefined,
): ResourceList<Resource> {
  return {
    schemas: [LIST_SCHEMA],
    ...(total !== undefined && { totalResults: total }),
    itemsPerPage: fitting.length,
    ...(startIndex !== undefined && { startIndex }),
    ...(startIndex === undefined && end !== undefined && { nextCursor: cursorAfter(end) }),
    Resources: fitting,
  };
}

function readCursor(cursors: ListCursor, text: string): string {
  try {
    const key = cursors.read(text)?.id ?? '';
    if (/^\d{1,18}$/.test(key)) return key;
  } catch {
    // Refused below, in the words of SCIM.
  }
  throw new ScimError('invalidCursor', 'The cursor is not one of this list with this filter.');
}

/** The first value, in any case of the name. */
function textOf(query: ScimQuery, name: string): string | undefined {
  const [, given] = Object.entries(query).find(([key]) => key.toLowerCase() === name.toLowerCase()) ?? [];
  const [value] = [given].flat();
  return typeof value === 'string' ? value : undefined;
}

function numberOf(query: ScimQuery, name: string): number | undefined {
  const text = textOf(query, name)?.trim();
  if (text === undefined || text === '') return undefined;
  if (!/^-?\d+$/.test(text)) throw new ScimError('invalidValue', `${name} is a whole number.`);
  // Beyond this, no list has anything.
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}
