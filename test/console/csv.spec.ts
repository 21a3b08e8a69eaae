import { csvOf } from '../../console/src/history/csv';

const ENTRY = {
  at: '2030-03-31T01:00:00.000Z',
  action: 'user.status.changed',
  actor: { kind: 'user', id: 'ada' },
  user: 'ben',
  workspaces: ['atlas', 'borealis'],
  before: { status: 'active' },
  after: null,
  reason: 'left',
  requestId: 'r-1',
};
const HEAD = '\uFEFFtime,action,actor kind,actor,user,workspaces,before,after,reason,request\r\n';

/** The cell of a reason in the file. */
const cellOf = (reason: string) => /,,(.*),r-1\r\n$/s.exec(csvOf([{ ...ENTRY, reason }]).slice(HEAD.length))?.[1];

describe('the journal as a file of comma-separated values', () => {
  it('has a line for each entry, which spreadsheets read as UTF-8', () => {
    expect(csvOf([ENTRY, { ...ENTRY, user: null, workspaces: [], before: null, reason: null, requestId: null }])).toBe(
      `${HEAD}2030-03-31T01:00:00.000Z,user.status.changed,user,ada,ben,atlas; borealis,"{""status"":""active""}",,left,r-1\r\n` +
        '2030-03-31T01:00:00.000Z,user.status.changed,user,ada,,,,,,\r\n',
    );
    expect(csvOf([])).toBe(HEAD);
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+49 30 1', "'+49 30 1"],
    ['-1', "'-1"],
    ['@sum(A1)', "'@sum(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', `"'\r=1"`],
    ['=HYPERLINK("https://x.example","y")', `"'=HYPERLINK(""https://x.example"",""y"")"`],
    ['a=1', 'a=1'],
    ['"', '""""'],
    ['a,b', '"a,b"'],
    ['a\nb', '"a\nb"'],
    ['שלום 🙂', 'שלום 🙂'],
  ])('writes %j so that it is read as text', (reason, cell) => expect(cellOf(reason)).toBe(cell));

  it('takes no id for a formula either', () => {
    const [, line = ''] = csvOf([{ ...ENTRY, user: '=cmd', workspaces: ['@x'], requestId: '-2' }]).split('\r\n');
    expect(line).toBe(
      `2030-03-31T01:00:00.000Z,user.status.changed,user,ada,'=cmd,'@x,"{""status"":""active""}",,left,'-2`,
    );
  });
});
