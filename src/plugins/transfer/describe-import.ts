import type { Spared } from '../door';
import type { RecordKind } from './directory-record.rules';
import type { ImportSummary } from './import-directory';
import type { MissingCounts } from './import-missing';
import { quote } from './import-error';
import type { Preview } from './import-preview';

/** What an import did, as one line. */
export function describeImport(
  { records, created, missing, rowsWritten }: ImportSummary,
  spares: readonly Spared[],
): string {
  const read = countOf(records, 'record');
  const spared = missing && sparedOf(missing, spares);
  const stayed = spared ? ` Left active, although the input does not name them: ${spared}.` : '';
  if (rowsWritten === 0) return `Read ${read}. The directory already matched them: nothing changed.${stayed}`;
  const counts = Object.entries(created).map(([kind, count]) => [kind as RecordKind, count] as const);
  const deactivated = missing?.deactivated ?? 0;
  const gone = deactivated === 0 ? '' : ` Deactivated: ${countOf(deactivated, 'user')} that the input does not name.`;
  return `Imported ${read}. New: ${listOf(counts) || 'none'}.${gone}${stayed}`;
}

/**
 * What an import would do, in lines: how many records would be created, changed and deactivated, and the first of them.
 */
export function describePreview(
  { missing }: ImportSummary,
  preview: readonly Preview[],
  spares: readonly Spared[],
): string[] {
  const spared = missing && sparedOf(missing, spares);
  const stay = spared ? [`Would stay active, although the input does not name them: ${spared}`] : [];
  const changes = (['created', 'changed', 'deactivated'] as const).flatMap((outcome) => {
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
  return [...changes, ...stay];
}

function sparedOf({ spared }: MissingCounts, spares: readonly Spared[]): string {
  const told = (reason: string, count: number): string => {
    const own = spares.find((one) => one.reason === reason);
    if (own) return `${count.toLocaleString('en')} ${own.told}`;
    return reason === 'keep' ? `${count.toLocaleString('en')} named by --keep` : countOf(count, 'administrator');
  };
  return Object.entries(spared)
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => told(reason, count))
    .join(', ');
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
