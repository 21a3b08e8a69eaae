import { LIMITS } from '../door';
import { membershipHasEnded } from '../../directory/current-status';
import type { Queryable } from '@user-administration/postgres';

/** A member of a group, as it is read. */
export interface GroupMember {
  /** The position in the list. */
  key: string;
  id: string;
  displayName: string | null;
}

/** Members that one statement reads. */
const MEMBERS_PART = 10_000;

/** Bytes of one write: as many as Node buffers before it waits for the caller. */
const PIECE = 16 * 1024;

/** The members of a group that were read, and an iterator over the others if there are too many for memory. */
export interface ShownMembers {
  first: object[];
  rest: AsyncIterable<GroupMember[]> | undefined;
}

/** The members of a group that the connection knows, part by part. */
export async function* membersOf(
  sender: Queryable,
  groupKey: string,
  connectionKey: string,
): AsyncGenerator<GroupMember[], undefined> {
  for (let after = '0'; ;) {
    const part = await sender.query<GroupMember[]>(
      `SELECT p.key, p.id, u.display_name AS "displayName"
       FROM group_memberships AS m JOIN scim_users AS p ON p.user_key = m.user_key
       JOIN users AS u ON u.key = m.user_key
       WHERE m.group_key = $1 AND p.connection_key = $2 AND p.key > $3
         AND NOT ${membershipHasEnded('m')}
       ORDER BY p.key LIMIT ${MEMBERS_PART}`,
      [groupKey, connectionKey, after],
    );
    yield part;
    if (part.length < MEMBERS_PART) return;
    after = part.at(-1)?.key ?? after;
  }
}

/** Reads members until they have more than 4 MiB. */
export async function readShown(
  parts: AsyncGenerator<GroupMember[], undefined>,
  shown: (member: GroupMember) => object,
): Promise<ShownMembers> {
  const first: object[] = [];
  let bytes = 0;
  for (;;) {
    const { value } = await parts.next();
    if (!value) return { first, rest: undefined };
    for (const member of value.map(shown)) {
      first.push(member);
      bytes += Buffer.byteLength(JSON.stringify(member));
    }
    if (bytes > LIMITS.pageBytes) return { first, rest: parts };
  }
}

/**
 * The JSON of a list of members and of what surrounds it, in pieces.
 *
 * @param before ends with the bracket that begins the list
 * @param after begins with the bracket that ends it
 */
export async function* inPieces(
  before: string,
  { first, rest = noMore() }: ShownMembers,
  shown: (member: GroupMember) => object,
  after: string,
): AsyncGenerator<string> {
  let piece = before;
  let bytes = Buffer.byteLength(before);
  let separator = '';
  async function* all(): AsyncGenerator<object[]> {
    yield first;
    for await (const part of rest) yield part.map(shown);
  }
  for await (const part of all()) {
    for (const member of part) {
      const text = separator + JSON.stringify(member);
      const size = Buffer.byteLength(text);
      if (bytes + size > PIECE) {
        yield piece;
        piece = '';
        bytes = 0;
      }
      piece += text;
      bytes += size;
      separator = ',';
    }
  }
  yield piece + after;
}

async function* noMore(): AsyncGenerator<GroupMember[]> {}
