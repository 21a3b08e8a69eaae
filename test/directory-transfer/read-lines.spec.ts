import { ImportError } from '../../src/plugins/transfer/import-error';
import { type EmptyLines, type Line, piecesOf, readLines } from '../../src/plugins/transfer/read-lines';

async function read(bytes: Uint8Array, chunkSize = bytes.length, maxBytes?: number): Promise<(Line | EmptyLines)[]> {
  const chunks: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += chunkSize) chunks.push(bytes.subarray(start, start + chunkSize));
  const lines: (Line | EmptyLines)[] = [];
  for await (const line of readLines(chunks, maxBytes)) lines.push(line);
  return lines;
}

describe('the lines of an import file', () => {
  it.each([1, 2, 3, 7, 100])('are the same when it comes in pieces of %d bytes', async (chunkSize) => {
    const text = 'eins\n\nzwei Übergänge 😀\r\n\ndrei';
    await expect(read(Buffer.from(text), chunkSize)).resolves.toEqual(['eins', '', 'zwei Übergänge 😀\r', '', 'drei']);
  });

  it.each<[string, number]>([
    ['\n\n\n\n', 4],
    ['\r\n'.repeat(5), 5],
    [' \t\n'.repeat(70_000), 70_000],
    [`${';'.repeat(99)}\n`.repeat(9), 9],
    ['"";" "\r\n,""\n\n"\t"\n', 4],
  ])('that are empty are told at once: %#', async (text, count) => {
    const [first, run, ...others] = await read(Buffer.from(`eins\n${text}zwei\n`));
    expect([first, run, others]).toEqual(['eins', { text, count }, ['zwei']]);
  });

  it.each([
    '\n\n\n',
    `${';'.repeat(100)}\n`.repeat(4),
    '"" ""\n'.repeat(4),
    '"\n'.repeat(4),
    ' "",\n'.repeat(4),
    '\0\n'.repeat(4),
    '\u00a0\n'.repeat(4),
  ])('that have more than that, or are few, are told one by one: %#', async (text) => {
    expect(await read(Buffer.from(text))).toEqual(text.slice(0, -1).split('\n'));
  });

  it('may end without a newline, and the file may be empty', async () => {
    await expect(read(Buffer.from('eins\n'))).resolves.toEqual(['eins']);
    await expect(read(Buffer.from(''))).resolves.toEqual([]);
  });

  it('are read without a byte order mark at the start of the file', async () => {
    await expect(read(Buffer.from('\uFEFFeins\n\uFEFFzwei'))).resolves.toEqual(['eins', '\uFEFFzwei']);
  });

  it('are told apart if they are not UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('eins\n'), Buffer.from([0xc3, 0x28, 0x0a]), Buffer.from('drei')]);
    await expect(read(bytes)).resolves.toEqual(['eins', { notUtf8: '\uFFFD(' }, 'drei']);
  });

  it('are refused if one is too long, before it is read to its end', async () => {
    let chunksRead = 0;
    const endless = (function* () {
      yield Buffer.from('short\n');
      for (;;) {
        chunksRead += 1;
        yield Buffer.alloc(10, 'x');
      }
    })();
    const reading = (async () => {
      for await (const line of readLines(endless, 35)) expect(line).toBe('short');
    })();
    await expect(reading).rejects.toEqual(new ImportError([{ line: 2, problem: 'longer than 35 bytes' }]));
    expect(chunksRead).toBe(4);
    await expect(read(Buffer.from('x'.repeat(35)), 10, 35)).resolves.toHaveLength(1);
  });

  it('leave other requests a turn at least every 100,000 lines, also empty ones of a file in memory', async () => {
    let turns = 0;
    let next = setImmediate(function count() {
      turns += 1;
      next = setImmediate(count);
    });
    let lines = 0;
    for await (const line of readLines(piecesOf(Buffer.alloc(1_000_000, '\n')))) {
      lines += typeof line === 'object' && 'count' in line ? line.count : 1;
    }
    clearImmediate(next);
    expect(lines).toBe(1_000_000);
    expect(turns).toBeGreaterThanOrEqual(10);
  });
});
