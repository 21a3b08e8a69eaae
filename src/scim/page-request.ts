import { type ListQuery, readListQuery } from '@user-administration/scim-protocol';
import { ListCursor } from '../records/list-cursor';
import { ScimError } from './scim-error';

/** The page of a list that a request asks for. */
export interface PageRequest extends Omit<ListQuery, 'cursor' | 'filterText'> {
  /** The key of the last resource of the page before. */
  after: string | undefined;
  /** Writes the cursor of the page after a resource with this key. */
  cursorAfter(key: string): string;
}

/**
 * @param list the name of the list, to which its cursors belong
 * @throws ScimRefusal `invalidFilter`, `invalidValue`; ScimError `invalidCursor`
 */
export function pageRequestOf(query: Readonly<Record<string, unknown>>, list: string): PageRequest {
  const { cursor, filterText, ...request } = readListQuery(query);
  const cursors = new ListCursor([list, filterText]);
  return {
    ...request,
    after: cursor === undefined || cursor === '' ? undefined : readCursor(cursors, cursor),
    cursorAfter: (key) => cursors.write({ id: key }),
  };
}

function readCursor(cursors: ListCursor, text: string): string {
  try {
    const key = cursors.read(text)?.id ?? '';
    if (/^\d{1,18}$/.test(key)) return key;
  } catch {
    // Refused below, with a detail of SCIM.
  }
  throw new ScimError('invalidCursor', 'The cursor is not one of this list with this filter.');
}
