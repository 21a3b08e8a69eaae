import type { ImportAnswer } from '@user-administration/client';
import { service } from '../service.ts';
import { newId } from '../ui/new-id.ts';
import { PageError } from '../ui/notice.tsx';

const MOST_BYTES = 16 * 1024 * 1024;
/** A large file on a slow line; the service answers at the end. */
const PATIENCE_MS = 600_000;

/** A file as it was when it was chosen, whatever becomes of it on the disk. */
export interface ImportFile {
  /** Of this choice: another file can have the same name. */
  id: string;
  name: string;
  format: 'csv' | 'ndjson';
  bytes: Uint8Array<ArrayBuffer>;
}

/** What to do with people who are not in the file. */
export interface Missing {
  deactivateMissing: boolean;
  /** A number, or a percentage of the active people. */
  atMost: string;
}

export type ImportResult = ImportAnswer['result'];

/** @throws PageError for several files, a folder, a workbook, and a file that is larger than the service takes */
export async function readFile([file, ...others]: readonly File[]): Promise<ImportFile> {
  if (!file || others.length > 0) throw new PageError('import.unreadable');
  if (file.size > MOST_BYTES) throw new PageError('import.too_large');
  const buffer = await file.arrayBuffer().catch(() => undefined);
  if (!buffer) throw new PageError('import.unreadable');
  const bytes = new Uint8Array(buffer);
  const start = new TextDecoder().decode(bytes.subarray(0, 1_000));
  if (start.startsWith('PK\u0003\u0004')) throw new PageError('import.workbook');
  if (!isUtf8(bytes)) throw new PageError('import.encoding');
  // No heading of a table begins with a brace.
  return { id: newId(), name: file.name, format: /^\s*\{/.test(start) ? 'ndjson' : 'csv', bytes };
}

/** Text in UTF-16 that is all ASCII is valid UTF-8, with a NUL for each character. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return !bytes.includes(0);
  } catch {
    return false;
  }
}

/** So many lines of a row are shown. */
const MOST_ROW_LINES = 50;

/** The text of its rows, by the line where they begin, from 1. A cell in quotes can have line breaks. */
export function rowsOf({ bytes, format }: ImportFile): (line: number) => string {
  const lines = new TextDecoder().decode(bytes).split(/\r?\n/);
  return (line) => {
    const [first = '', ...more] = lines.slice(line - 1, line - 1 + MOST_ROW_LINES);
    let row = first;
    for (const next of format === 'csv' ? more : []) {
      if (isWhole(row)) return row;
      row += `\n${next}`;
    }
    return isWhole(row) ? row : first;
  };
}

const isWhole = (row: string): boolean => row.split('"').length % 2 === 1;

export function sendFile(
  { name, bytes, format }: ImportFile,
  { deactivateMissing, atMost }: Missing,
  options: { dryRun: true; signal: AbortSignal } | { idempotencyKey: string; requestId: string; reason?: string },
): Promise<ImportAnswer> {
  const missing = deactivateMissing ? { deactivateMissing, atMost: atMost.replace(/\s/g, '') } : {};
  return service.imports.create(bytes, {
    format,
    // The service takes a name as long as that of a record.
    ...(name !== '' && { name: [...name].slice(0, 255).join('') }),
    ...missing,
    timeoutMs: PATIENCE_MS,
    deadlineMs: PATIENCE_MS,
    ...options,
  });
}
