import type { RecordKind } from '../directory-transfer/directory-record.rules';
import type { ImportSummary } from '../directory-transfer/import-directory';
import { quote } from '../directory-transfer/import-error';
import type { Preview } from '../directory-transfer/import-preview';

/** What an import did, as one line. */
export function describeImport({ records, created, deactivated, rowsWritten }: ImportSummary): string {
  const read = countOf(records, 'record');
  if (rowsWritten === 0) {
    return records === 0
      ? 'The input has no records. Nothing was imported.'
      : `Read ${read}. The directory already matched them: nothing changed.`;
  }
  const counts = Object.entries(created).map(([kind, count]) => [kind as RecordKind, count] as const);
  const missing =
    deactivated === 0 ? '' : ` Deactivated: ${countOf(deactivated, 'user')} that the input does not name.`;
  return `Imported ${read}. New: ${listOf(counts) || 'none'}.${missing}`;
}

/** What an import would do, in lines: how many records would be created, changed and deactivated, and the first of them. */
export function describePreview(preview: readonly Preview[]): string[] {
  return (['created', 'changed', 'deactivated'] as const).flatMap((outcome) => {
    const kinds = preview.filter((part) => part.outcome === outcome);
    const shown = kinds.flatMap(({ kind, shown }) =>
      shown.map(({ id, fields }) => `  ${kind} ${quote(id)}${outcome === 'changed' ? `: ${fields.join(', ')}` : ''}`),
    );
    const more = kinds.reduce((sum, { count }) => sum + count, 0) - shown.length;
    return [
      `Would be ${outcome}: ${listOf(kinds.map(({ kind, count }) => [kind, count])) || 'none'}`,
      ...shown,
      ...(more > 0 ? [`  and ${more.toLocaleString('en')} more`] : []),
    ];
  });
}

function listOf(counts: readonly (readonly [RecordKind, number])[]): string {
  return counts
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => countOf(count, kind))
    .join(', ');
}

function countOf(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}
