import { DirectoryFile } from '../../src/plugins/transfer/directory-file';
import type { FileRecord } from '../../src/plugins/transfer/directory-record.rules';
import { ImportError, type LineProblem } from '../../src/plugins/transfer/import-error';
import { readCsv } from '../../src/plugins/transfer/read-csv';
import { readLines } from '../../src/plugins/transfer/read-lines';

const read = (text: string | Uint8Array): AsyncIterable<FileRecord> => readCsv(readLines([Buffer.from(text)]));

async function users(text: string): Promise<[line: number, user: unknown][]> {
  const found: [number, unknown][] = [];
  for await (const record of read(text)) found.push([record.line, record.read().record]);
  return found;
}

async function problems(text: string | Uint8Array): Promise<LineProblem[]> {
  try {
    const file = await DirectoryFile.read(read(text));
    await file.close();
    return file.problems;
  } catch (error) {
    if (error instanceof ImportError) return [...error.problems];
    throw error;
  }
}

describe('the users of a CSV file', () => {
  const ADA = { id: 'ada', displayName: 'Lovelace, Ada', workspaces: ['atlas', 'borealis'] };

  it.each([
    ['commas', 'id,displayName,workspaces\nada,"Lovelace, Ada",atlas|borealis\n'],
    ['semicolons', 'id;displayName;workspaces\nada;Lovelace, Ada;atlas|borealis\n'],
    ['a byte order mark, CRLF and no end', '\uFEFFid;displayName;workspaces\r\nada;Lovelace, Ada;atlas|borealis'],
    ['a carriage return at the end', 'id,displayName,workspaces\r\nada,"Lovelace, Ada",atlas|borealis\r'],
    ['quotes everywhere', '"id","displayName","workspaces"\n"ada","Lovelace, Ada","atlas|borealis"\n'],
    ['sep=; first', 'sep=;\r\nid;displayName;workspaces\r\nada;Lovelace, Ada;atlas|borealis\r\n'],
    ['"SEP=," first', '\uFEFF"SEP=,"\nid,displayName,workspaces\nada,"Lovelace, Ada",atlas|borealis\n'],
    ['headings in any case', 'Id,DISPLAYNAME,workSpaces\nada,"Lovelace, Ada",atlas|borealis\n'],
    ['blanks around headings', ' id ;\tdisplayName;"\u00a0workspaces "\nada;Lovelace, Ada;atlas|borealis\n'],
    ['empty columns at the end', 'id;displayName;workspaces;;\nada;Lovelace, Ada;atlas|borealis;;\n'],
    ['blank columns in between', ';id; ;displayName;workspaces;\n;ada;" ";Lovelace, Ada;atlas|borealis;\t\n'],
    ['cells less than empty columns', 'id;displayName;workspaces;;\nada;Lovelace, Ada;atlas|borealis\n'],
    ['empty cells beyond the header', 'id;displayName;workspaces\nada;Lovelace, Ada;atlas|borealis;;; \n'],
    ['another order of columns', 'workspaces,id,displayName\natlas|borealis|atlas,ada,"Lovelace, Ada"\n'],
  ])('can come with %s', async (_, text) => {
    await expect(users(text)).resolves.toEqual([[/sep=/i.test(text) ? 3 : 2, ADA]]);
  });

  it('keep what a quoted cell contains, and have the numbers of their first lines', async () => {
    const text = '\nid,displayName\r\n\r\na,"x\r\ny"\n"b","say ""hi""\n\n;"\nauth0|c,"a|b"\n';
    await expect(users(text)).resolves.toEqual([
      [4, { id: 'a', displayName: 'x\r\ny' }],
      [6, { id: 'b', displayName: 'say "hi"\n\n;' }],
      [9, { id: 'auth0|c', displayName: 'a|b' }],
    ]);
  });

  it('have null and empty lists where cells are empty, and nothing where a column is absent', async () => {
    await expect(users('groups,email,id,permissions,displayName\n,,ada,"",""')).resolves.toEqual([
      [2, { id: 'ada', email: null, displayName: null, permissions: [], groups: [] }],
    ]);
  });

  it('are read without the guard of our exports, and with every other sign', async () => {
    await expect(users(`id,displayName,workspaces\n'-5,'=1+1,'@a|b\n'00815,''=1,x\n`)).resolves.toEqual([
      [2, { id: '-5', displayName: '=1+1', workspaces: ['@a', 'b'] }],
      [3, { id: "'00815", displayName: "'=1", workspaces: ['x'] }],
    ]);
  });

  it('can have 100 cells in a row, also with separators in quotes', async () => {
    await expect(
      users(`id,displayName${','.repeat(98)}\nada,"${','.repeat(200)}"${','.repeat(98)}\n`),
    ).resolves.toEqual([[2, { id: 'ada', displayName: ','.repeat(200) }]]);
  });

  it('are the same when there are more than the parser gets at once', async () => {
    const ids = Array.from({ length: 2_500 }, (_, n) => `user-${n}`);
    const found = await users(['id', ...ids].join('\n'));
    expect(found).toEqual(ids.map((id, index) => [index + 2, { id }]));
  });

  it('are not in rows of blank cells, wherever those are', async () => {
    const text = '\n;;\n" ";\nid;email\n;\n;;;\n \t;  \nada;a@b\n   \n"";""\n\u00a0;\n"\n";\n;\nben;';
    await expect(users(text)).resolves.toEqual([
      [8, { id: 'ada', email: 'a@b' }],
      [15, { id: 'ben', email: null }],
    ]);
    await expect(users('id\n \n\t\nada\n')).resolves.toEqual([[4, { id: 'ada' }]]);
  });

  it('are not there if the file is empty or has only a header', async () => {
    await expect(users('')).resolves.toEqual([]);
    await expect(users('id;email')).resolves.toEqual([]);
  });

  it.each([
    ['id,nickname\nada,A', 1, 'unknown column "nickname": the columns are id, email, '],
    ['id,ID\nada,A', 1, 'the column id is given twice'],
    [
      'email,EMAIL,nickname,shoe\na@b.example,,,',
      1,
      'the column email is given twice; the column id is missing; unknown columns "nickname", "shoe": the columns are id',
    ],
    ['id;Email; EMAIL \nada;;', 1, 'the column email is given twice'],
    ['id;display name\nada;A', 1, 'unknown column "display name"'],
    ['id;E-Mail\nada;A', 1, 'unknown column "E-Mail"'],
    ['sep=|\nid|email\nada|a@b', 1, 'unknown column "sep=|"'],
    ['\nsep=;\nid;email\nada;a@b', 2, 'unknown column "sep="'],
    ['id;;email\nada;x;a@b', 2, 'the cell 2 has a value, and its column has no heading'],
    ['sep=;\nid\nada;x', 3, 'this row has 2 cells, and the header 1'],
    ['id;email;\nada;a@b;c', 2, 'this row has 3 cells, and the header 2'],
    ['i\0d\0;\0', 1, 'not valid UTF-8: save it as CSV UTF-8'],
    ['id,__proto__\nada,A', 1, 'unknown column "__proto__"'],
    ['id,type\nada,administrator', 1, 'unknown column "type"'],
    ['id;email,displayName\nada;a', 1, 'unknown column "email,displayName"'],
    ['id,email,id\nada,a@b,c', 1, 'the column id is given twice'],
    ['\n\nemail,displayName\na@b,c', 3, 'the column id is missing'],
    ['id,"email\nada,a@b', 1, 'a quoted cell has no closing quote'],
    ['id,e"mail"\nada,a@b', 1, 'not valid CSV'],
    ['id,color,ID,size\nada,A,b,c', 1, 'unknown columns "color", "size": the columns are id, email, '],
    ['id\temail\nada\ta@b', 1, 'the columns are separated by tabs: save the table as CSV'],
    ['{"user":{"id":"ada"}}\n', 1, 'this is NDJSON, not CSV'],
    ['[{"user":{"id":"ada"}}]\n', 1, 'this is JSON'],
    ['PK\u0003\u0004x\n', 1, 'this is a workbook of a spreadsheet'],
    [`id${','.repeat(100)}\nada`, 1, 'more than 100 cells'],
    [`id\n${','.repeat(100)}\nada`, 2, 'more than 100 cells'],
    ['id,email\nada\n', 2, 'this row has 1 cells, and the header 2'],
    ['id,email\nada,a@b,c\n', 2, 'this row has 3 cells, and the header 2'],
    ['id,email\n,a@b\n', 2, 'the cell of the column id must hold an id of 1 to 255 characters'],
    ['id,status\nada,\n', 2, 'the cell of the column status must be one of active, inactive'],
    ['id,status\nada,Active\n', 2, 'the cell of the column status must be'],
    ['id,email\nada,a@b@c\n', 2, 'the cell of the column email must be empty or hold an address'],
    ['id,email\nada,a\u200b@b\n', 2, 'the cell of the column email must be empty or hold an address'],
    ['id,groups\nada,x||y\n', 2, 'the cell of the column groups must be empty or hold ids'],
    ['id,groups\nada,x|\n', 2, 'the cell of the column groups must be empty or hold ids'],
    ['id,displayName\nada,a "b" c\n', 2, 'not valid CSV'],
    ['id,displayName\nada,"a" b\n', 2, 'not valid CSV'],
    ['id,displayName\nada,"a\nben,b\n', 2, 'a quoted cell has no closing quote'],
  ])('are refused: %j', async (text, line, problem) => {
    await expect(problems(text)).resolves.toEqual([{ line, problem: expect.stringContaining(problem) }]);
  });

  it('are refused with all their bad rows at once', async () => {
    const rows = [
      'id,status,displayName',
      'a,,"1\n2"',
      'b,active,"',
      '",x',
      'c,x,',
      'd,active,say "d"',
      'e,inactive,"E"',
    ];
    const bytes = Buffer.concat([
      Buffer.from(`${rows.join('\n')}\nf,active,`),
      Buffer.from([0xfc]),
      Buffer.from('\ng,,\n'),
    ]);
    await expect(problems(bytes)).resolves.toEqual([
      { line: 2, problem: expect.stringContaining('column status') },
      { line: 4, problem: 'this row has 4 cells, and the header 3' },
      { line: 6, problem: expect.stringContaining('column status') },
      { line: 7, problem: expect.stringContaining('not valid CSV') },
      { line: 9, problem: 'not valid UTF-8: save it as CSV UTF-8' },
      { line: 10, problem: expect.stringContaining('column status') },
    ]);
  });

  it('are refused in an old workbook', async () => {
    const bytes = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0, 0x0a]);
    const problem = 'this is a workbook of a spreadsheet: save the table in it as CSV UTF-8';
    await expect(problems(bytes)).resolves.toEqual([{ line: 1, problem }]);
  });

  it.each<[string, BufferEncoding, string]>([
    ['UTF-16 with a mark', 'utf16le', '\uFEFFid;displayName\nada;Ada'],
    ['UTF-16', 'utf16le', 'id;displayName\nada;Ada'],
    ['Latin 1', 'latin1', 'id;displayName;Straße\nada;Ada;'],
  ])('are refused in %s', async (_, encoding, text) => {
    const problem = 'not valid UTF-8: save it as CSV UTF-8';
    await expect(problems(Buffer.from(text, encoding))).resolves.toEqual([{ line: 1, problem }]);
  });

  it('are refused if one is longer than any record, without reading on', async () => {
    let chunks = 0;
    const endless = (function* () {
      yield Buffer.from('id,displayName\nada,"');
      for (;;) {
        chunks += 1;
        yield Buffer.from(`${'x'.repeat(64 * 1024)}\n`);
      }
    })();
    await expect(DirectoryFile.read(readCsv(readLines(endless)))).rejects.toEqual(
      new ImportError([{ line: 2, problem: 'a quoted cell has no closing quote' }]),
    );
    expect(chunks).toBeLessThan(20);
  });
});
