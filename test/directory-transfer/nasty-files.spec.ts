import { DirectoryFile } from '../../src/plugins/transfer/directory-file';
import { ImportError, type LineProblem } from '../../src/plugins/transfer/import-error';
import { piecesOf, readLines } from '../../src/plugins/transfer/read-lines';
import { readCsv } from '../../src/plugins/transfer/read-csv';
import { readNdjson } from '../../src/plugins/transfer/read-ndjson';
import { MemoryStore } from '../../src/plugins/transfer/record-store';

const MIB = 1024 * 1024;
const LONG = 'longer than 1048576 bytes';

async function problems(text: string, read: typeof readCsv | typeof readNdjson): Promise<readonly LineProblem[]> {
  try {
    const lines = readLines(piecesOf(Buffer.from(text)));
    return (await DirectoryFile.read(read(lines), undefined, new MemoryStore())).problems;
  } catch (error) {
    if (error instanceof ImportError) return error.problems;
    throw error;
  }
}

describe('a nasty file costs one line, which is refused before it is parsed:', () => {
  it.each<[string, string, typeof readCsv, number, string]>([
    ['a header of commas', ','.repeat(16 * MIB), readCsv, 1, LONG],
    ['a header of many columns', `id${','.repeat(MIB - 2)}\n`, readCsv, 1, 'more than 100 cells'],
    ['a row of commas', `id\n${','.repeat(16 * MIB)}`, readCsv, 2, LONG],
    ['a row of many cells', `id\n${','.repeat(MIB)}\n`, readCsv, 2, 'more than 100 cells'],
    ['a quote that is never closed', `id\n"${'a\n'.repeat(MIB)}`, readCsv, 2, 'a quoted cell has no closing quote'],
    ['a cell of many ids', `id,groups\na,${'b|'.repeat(500_000)}\n`, readCsv, 2, 'more than 200,000 cells and ids'],
    ['nested JSON', `{"user":${'['.repeat(16 * MIB)}`, readNdjson, 1, LONG],
    [
      'JSON with much structure',
      `{"user":${'['.repeat(MIB - 8)}`,
      readNdjson,
      1,
      'more than 200,000 arrays, objects and fields',
    ],
    [
      'a list of lists',
      `{"user":{"id":"a","x":${'['.repeat(190_000)}${']'.repeat(190_000)}}}`,
      readNdjson,
      1,
      'user has an unknown field "x"',
    ],
    [
      'an array',
      '\n[{"user":{"id":"a"}}]',
      readNdjson,
      2,
      'this is JSON, not NDJSON: write each record on a line of its own, without [ ] and commas between them',
    ],
    ['a table', 'id;email\nada;a@b', readNdjson, 1, 'this is a table: its format is CSV, not NDJSON'],
    [
      'a workbook',
      'PK\u0003\u0004',
      readNdjson,
      1,
      'this is a workbook of a spreadsheet: save the table in it as CSV UTF-8',
    ],
  ])('%s', async (_, text, read, line, problem) => {
    expect(await problems(text, read)).toEqual([{ line, problem }]);
  });
});

describe('lines without anything are counted, and nothing else:', () => {
  const EMPTY = 3 * MIB;

  it.each<[string, string, typeof readCsv]>([
    ['line breaks', '\n'.repeat(EMPTY), readNdjson],
    ['blanks', ' \r\n'.repeat(EMPTY), readNdjson],
    ['line breaks', '\n'.repeat(EMPTY), readCsv],
    ['rows of separators', ',\n'.repeat(EMPTY), readCsv],
    ['rows of quoted blanks', '"",\n'.repeat(EMPTY), readCsv],
  ])('%s', async (_, empty, read) => {
    const [start, bad] = read === readCsv ? ['id,status\nben,active\n', 'x,y\n'] : ['{"user":{"id":"ben"}}\n', 'x\n'];
    let turns = 0;
    const pieces = (function* () {
      for (const piece of [start, empty, bad]) yield Buffer.from(piece);
    })();
    const lines = (async function* () {
      for await (const line of readLines(pieces)) {
        turns += 1;
        yield line;
      }
    })();
    const { problems } = await DirectoryFile.read(read(lines), undefined, new MemoryStore());
    expect(problems.map(({ line }) => line)).toEqual([start.split('\n').length + EMPTY]);
    expect(turns).toBeLessThan(10);
  });

  it.each<[string, string, number[]]>([
    ['with another separator', `id,status\n${';\n'.repeat(4)}`, [2, 3, 4, 5]],
    ['within a quoted cell', `id,displayName\nben,"a${'\n'.repeat(9)}b"\n\n\n\n\n\nx,y,z\n`, [17]],
  ])('%s they count as what they are', async (_, text, lines) => {
    expect((await problems(text, readCsv)).map(({ line }) => line)).toEqual(lines);
  });
});
