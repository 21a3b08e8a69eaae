import { JournalCursor } from '../../src/journal/journal-cursor';
import type { JournalPosition } from '../../src/journal/journal-search';

const seen = { delivered: new Map([[0, 7n]]) };
const positions: JournalPosition[] = [
  { moment: '1', position: 1 },
  { moment: '1', position: 1, seen },
  { moment: String(2n ** 63n - 1n), position: 1_000, seen: { delivered: new Map() } },
];

describe('the cursor of a page', () => {
  it.each(positions)('gives back the position that it was made of, %#', ({ moment, position, seen }) => {
    const read = JournalCursor.read(JournalCursor.write({ moment, position, seen }));
    expect([read?.moment, read?.position, read?.seen?.delivered]).toEqual([moment, position, seen?.delivered]);
  });

  it('is refused when something was added to it', () => {
    const text = JournalCursor.write({ moment: '1', position: 1, seen });
    const [end, state] = text.split('.') as [string, string];
    for (const other of [`${text}.`, `${text}A`, `${text}.${state}`, `${end}.`, `${end}.${end}`, `.${state}`, state]) {
      expect(JournalCursor.read(other)).toBeUndefined();
    }
  });
});
