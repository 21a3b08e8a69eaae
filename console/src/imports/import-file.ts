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

/** What is done with the people whom the file does not name. */
export interface Missing {
  deactivateMissing: boolean;
  /** A number, or a percentage of the active people. */
  atMost: string;
}

export type ImportResult = ImportAnswer['result'];

/** @throws PageError for a file that is larger than the service takes */
export async function readFile(file: File): Promise<ImportFile> {
  if (file.size > MOST_BYTES) throw new PageError('import.too_large');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const start = new TextDecoder().decode(bytes.subarray(0, 1_000));
  // No heading of a table begins with a brace.
  return { id: newId(), name: file.name, format: /^\s*\{/.test(start) ? 'ndjson' : 'csv', bytes };
}

/** The text of its lines, from 1. */
export function linesOf({ bytes }: ImportFile): (line: number) => string {
  const lines = new TextDecoder().decode(bytes).split(/\r?\n/);
  return (line) => lines[line - 1] ?? '';
}

export function sendFile(
  { bytes, format }: ImportFile,
  { deactivateMissing, atMost }: Missing,
  options: { dryRun: true; signal: AbortSignal } | { idempotencyKey: string; requestId: string },
): Promise<ImportAnswer> {
  const missing = deactivateMissing ? { deactivateMissing, atMost: atMost.replace(/\s/g, '') } : {};
  return service.imports.create(bytes, {
    format,
    ...missing,
    timeoutMs: PATIENCE_MS,
    deadlineMs: PATIENCE_MS,
    ...options,
  });
}
