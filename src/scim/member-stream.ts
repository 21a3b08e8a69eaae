import { LIMITS } from '../contract/limits';
import type { GroupMember } from './scim-groups-reader';

/** Bytes of one write: as many as Node buffers before it waits for the caller. */
const PIECE = 16 * 1024;

/** The members of a group as far as they were read, and what reads the others, if there are too many for memory. */
export interface ShownMembers {
  first: object[];
  rest: AsyncIterable<GroupMember[]> | undefined;
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
