import { type GroupMember, inPieces, readShown } from '../../src/plugins/scim/member-stream';

const PIECE = 16 * 1024;

async function* partsOf(count: number, size: number): AsyncGenerator<GroupMember[], undefined> {
  for (let at = 0; at < count; at += size) {
    yield Array.from({ length: Math.min(size, count - at) }, (_, n) => ({
      key: String(at + n + 1),
      id: `ü${at + n}`,
      displayName: 'é'.repeat(100),
    }));
  }
  return undefined;
}
const shown = ({ id, displayName }: GroupMember): object => ({ value: id, display: displayName });

it.each([0, 1, 60, 25_000, 50_000])('members are written in pieces of at most 16 KiB: %s of them', async (count) => {
  const members = await readShown(partsOf(count, 10_000), shown);
  // 230 bytes each: 20,000 are more than 4 MiB, and no further part is read.
  expect([members.first.length, members.rest !== undefined]).toEqual([Math.min(count, 20_000), count > 20_000]);
  const pieces: string[] = [];
  for await (const piece of inPieces('{"members":[', members, shown, ']}')) pieces.push(piece);
  const all: GroupMember[] = [];
  for await (const part of partsOf(count, 10_000)) all.push(...part);
  expect(JSON.parse(pieces.join(''))).toEqual({ members: all.map(shown) });
  const sizes = pieces.map((piece) => Buffer.byteLength(piece));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(PIECE);
  expect(pieces.length).toBeLessThanOrEqual(Math.ceil((count * 240) / PIECE) + 1);
});
