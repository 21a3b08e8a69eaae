import { csvOf, localTime } from '../../console/src/csv';

const MARK = '\uFEFF';
/** A cell in the file. */
const cellOf = (text: string) => csvOf([[text]]).slice(MARK.length, -2);

describe('a list as a file of comma-separated values', () => {
  it('has a line for each row, which spreadsheets read as UTF-8', () => {
    expect(
      csvOf([
        ['a', null, 'b'],
        ['c', undefined, ''],
      ]),
    ).toBe(`${MARK}a,,b\r\nc,,\r\n`);
    expect(csvOf([['d']], false)).toBe('d\r\n');
    expect(csvOf([])).toBe(MARK);
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+49 30 1', "'+49 30 1"],
    ['-1', "'-1"],
    ['@sum(A1)', "'@sum(A1)"],
    ['\t=1', `"'\t'=1"`],
    ['\r=1', `"'\r=1"`],
    ['=HYPERLINK("https://x.example","y")', `"'=HYPERLINK(""https://x.example"",""y"")"`],
    ['a=1', 'a=1'],
    ['ok;=1+1', `"ok;'=1+1"`],
    ['ok; =1+1;x', `"ok;' =1+1;x"`],
    ['ok\t@x', `"ok\t'@x"`],
    [' =1', "' =1"],
    ['\uFF1D1+1', "'\uFF1D1+1"],
    ['\uFF0B1', "'\uFF0B1"],
    ['\uFF0D1', "'\uFF0D1"],
    ['\uFF20x', "'\uFF20x"],
    ['"', '""""'],
    ['a,b', '"a,b"'],
    ['a\nb', '"a\nb"'],
    ['שלום 🙂', 'שלום 🙂'],
  ])('writes %j so that it is read as text', (reason, cell) => expect(cellOf(reason)).toBe(cell));

  it('tells moments by the clock of the browser, with its distance from UTC', () => {
    const text = localTime('2030-03-31T01:00:00.000Z');
    expect(text).toMatch(/^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d$/);
    expect(new Date(text).toISOString()).toBe('2030-03-31T01:00:00.000Z');
  });
});
