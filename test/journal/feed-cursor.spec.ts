import { FeedCursor, type FeedPosition } from '../../src/journal/feed-cursor';
import { JournalCursor } from '../../src/journal/journal-cursor';
import { SeededRandom } from '../races/seeded-random';

const MAX = 2n ** 62n;
/** Of a chain alone. */
const at = (number: bigint): FeedPosition => ({ delivered: new Map([[0, number]]) });
const positions: FeedPosition[] = [
  { delivered: new Map() },
  { delivered: new Map([[0, 1n]]) },
  { delivered: new Map([[63, MAX]]), partial: { chain: 63, entries: 1_000 } },
  { delivered: new Map(), partial: { chain: 0, entries: 1 } },
  { delivered: new Map(Array.from({ length: 64 }, (_, chain) => [chain, 10n ** BigInt(chain % 19)])) },
];

describe('the cursor of a follower', () => {
  it.each(positions)('is read as the position that it was written from (%#)', (position) => {
    const read = FeedCursor.read(FeedCursor.write(position));
    expect({ delivered: read?.delivered, partial: read?.partial }).toEqual({ partial: undefined, ...position });
  });

  it('is short, also in a long journal that uses every chain', () => {
    const delivered = new Map(Array.from({ length: 64 }, (_, chain) => [chain, 1_000_000n]));
    expect(FeedCursor.write({ delivered }).length).toBeLessThan(400);
  });

  it('is refused if any part of it was altered, cut off or added', () => {
    const text = FeedCursor.write({ delivered: new Map([[7, 300n]]), partial: { chain: 7, entries: 5 } });
    const random = new SeededRandom(1);
    for (let index = 0; index < text.length; index++) {
      const other = random.pick([...'ABCDEFabcdef0123456789-_'].filter((letter) => letter !== text[index]));
      expect(FeedCursor.read(text.slice(0, index) + other + text.slice(index + 1))).toBeUndefined();
      expect(FeedCursor.read(text.slice(0, index))).toBeUndefined();
    }
    expect(FeedCursor.read(`${text}A`)).toBeUndefined();
    expect(FeedCursor.read(`${text}=`)).toBeUndefined();
  });

  it.each(['', 'now', 'x', JournalCursor.write({ moment: '1', position: 1 }), 'A'.repeat(10_000)])(
    'cannot be any other text: %.20s',
    (text) => {
      expect(FeedCursor.read(text)).toBeUndefined();
    },
  );

  it('has no number with which a bigint of the database would overflow', () => {
    expect(FeedCursor.read(FeedCursor.write(at(MAX)))).toBeDefined();
    for (const number of [MAX + 1n, 2n ** 63n - 1n, 2n ** 63n]) {
      expect(FeedCursor.read(FeedCursor.write(at(number)))).toBeUndefined();
    }
  });

  it('is not accepted as a cursor of pages', () => {
    for (const position of positions) expect(JournalCursor.read(FeedCursor.write(position))).toBeUndefined();
  });
});
