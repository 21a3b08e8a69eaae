import { ACCESS_COLUMNS, accessCells, type AccessLine } from '../../contract/access';
import { BYTE_ORDER_MARK, csvRow } from '../../contract/csv';

/** How the register is written: what stands before its lines, each line, and what stands after them. */
export interface AccessForm {
  extension: string;
  begin: string;
  line(line: AccessLine): string;
  end(lines: number, at: string): string;
}

/** By media type, the preferred one first. */
export const ACCESS_FORMS = {
  'application/x-ndjson': {
    extension: 'ndjson',
    begin: '',
    line: (line) => `${JSON.stringify(line)}\n`,
    end: (lines, at) => `${JSON.stringify({ end: { lines, at } })}\n`,
  },
  'text/csv': {
    extension: 'csv',
    begin: BYTE_ORDER_MARK + csvRow(ACCESS_COLUMNS),
    line: (line) => csvRow(accessCells(line)),
    end: () => '',
  },
} satisfies Record<string, AccessForm>;

export type AccessType = keyof typeof ACCESS_FORMS;
export const ACCESS_TYPES = Object.keys(ACCESS_FORMS) as AccessType[];
