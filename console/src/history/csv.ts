/** What the file tells of an entry of the journal. */
export interface CsvEntry {
  at: string;
  action: string;
  actor: { kind: string; id: string };
  user: string | null;
  workspaces: readonly string[];
  before: object | null;
  after: object | null;
  reason: string | null;
  requestId: string | null;
}

const COLUMNS = ['time', 'action', 'actor kind', 'actor', 'user', 'workspaces', 'before', 'after', 'reason', 'request'];

/** Spreadsheets read a file in UTF-8 only with this mark. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Spreadsheets take a cell that begins so for a formula, and would calculate what somebody gave as a reason. */
const FORMULA = /^[=+\-@\t\r\n]/;

/** Entries of the journal as a file of comma-separated values (RFC 4180). */
export function csvOf(entries: readonly CsvEntry[]): string {
  const rows = entries.map(({ at, action, actor, user, workspaces, before, after, reason, requestId }) => [
    at,
    action,
    actor.kind,
    actor.id,
    user,
    workspaces.join('; '),
    before && JSON.stringify(before),
    after && JSON.stringify(after),
    reason,
    requestId,
  ]);
  return BYTE_ORDER_MARK + [COLUMNS, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: string | null): string {
  if (value === null) return '';
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
