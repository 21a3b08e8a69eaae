import { createHash } from 'node:crypto';
import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';

/** The position after the last record of a page. */
export interface ListPosition {
  id: string;
  /**
   * What else the position needs: the value that the list is sorted by before the id (a time in ISO 8601), or a place
   * within the record.
   */
  detail?: string;
}

const FINGERPRINT_LENGTH = 11;

/**
 * The cursor of a list, as opaque text. It contains a fingerprint of the list and its filters, so a cursor of another
 * list or of other filters is not accepted.
 */
export class ListCursor {
  private readonly fingerprint: string;

  /**
   * @param list the name of the list with its filters and its order
   * @param isDetail whether a value can be the `detail` of a position; undefined is none
   */
  constructor(
    list: unknown,
    private readonly isDetail: (value: unknown) => value is string | undefined = isUndefined,
  ) {
    this.fingerprint = createHash('sha256')
      .update(JSON.stringify(list))
      .digest('base64url')
      .slice(0, FINGERPRINT_LENGTH);
  }

  write({ id, detail }: ListPosition): string {
    return Buffer.from(JSON.stringify([this.fingerprint, id, ...(detail === undefined ? [] : [detail])])).toString(
      'base64url',
    );
  }

  /**
   * @returns undefined for the first page, which has no cursor
   * @throws ServiceError `query.invalid` for text that is not a cursor of this list
   */
  read(text: string | undefined): ListPosition | undefined {
    if (text === undefined) return undefined;
    const position = this.parse(text);
    if (!position) throw new ServiceError('query.invalid', { args: { name: 'cursor' } });
    return position;
  }

  private parse(text: string): ListPosition | undefined {
    const [, id, detail] = parsed(text);
    if (!isIdentifier(id) || !this.isDetail(detail)) return undefined;
    const position = { id, detail };
    // Only this list writes the same text: the fingerprint of another list, further elements and other spellings
    // differ.
    return this.write(position) === text ? position : undefined;
  }
}

function parsed(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

export function isUndefined(value: unknown): value is undefined {
  return value === undefined;
}
