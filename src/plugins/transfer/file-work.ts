import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type CommandTools, Transactions } from '../door';
import { exportDirectory } from './export-directory';
import { DirectoryFile } from './directory-file';
import { importFile } from './import-directory';
import { ImportRefused } from './import-error';
import type { ImportReport } from './import-progress';
import type { Sync } from './import-missing';
import { openToRead } from '../../terminal/open-to-read';
import { readCsv } from './read-csv';
import { readLines } from './read-lines';
import { readNdjson } from './read-ndjson';
import { Statements } from '@user-administration/postgres';
import { sealJournal } from '../../journal/seal-journal';
import { UserTypeRule } from '../../users/user-type/user-type-rule';
import { UserTypeService } from '../../users/user-type/user-type.service';
import { describeImport, describePreview } from './describe-import';
import { outputFailure } from '../../terminal/output';
import { ProgressBar } from './progress-bar';
import { FILE_ERRORS } from './errors';

/** The actor in the journal. A user of the command has access to the database, but no name in the directory. */
const IMPORT_ACT = { actor: { kind: 'system', id: 'user-admin import' } } as const;

const FORMATS = { ndjson: readNdjson, csv: readCsv };

interface ImportChoices {
  format: keyof typeof FORMATS;
  dryRun: boolean | undefined;
  deactivateMissing: Sync | undefined;
  /** For the journal. */
  reason: string | undefined;
}

/** Reads the whole input before the database is opened, so that slow input blocks nobody. */
export async function importFrom(
  file: string,
  { format, reason, deactivateMissing, ...choices }: ImportChoices,
  { plugins, userTypeRule, withDirectory }: CommandTools,
): Promise<void> {
  const userTypes = new UserTypeService(userTypeRule ?? new UserTypeRule());
  const spares = plugins.flatMap((plugin) => plugin.spares ?? []);
  const rules = plugins.flatMap(({ rule }) => rule ?? []);
  const { chunks, bytes } = await openInput(file);
  const bar = new ProgressBar(bytes);
  try {
    const onProgress = (report: ImportReport) => bar.report(report);
    const records = FORMATS[format](readLines(bar.watch(chunks)));
    const read = await DirectoryFile.read(records, (done) => onProgress({ phase: 'Reading', done }));
    try {
      if (read.records === 0 && read.problems.length === 0)
        throw new ImportRefused('The file has no records', FILE_ERRORS.refusal('import.empty'));
      const summary = await withDirectory(async (dataSource, config) => {
        const { takesOverUserTypes, databaseBounds } = config;
        const { idleTransactionMs } = databaseBounds;
        const name = file === '-' ? undefined : basename(file);
        const transactions =
          rules.length > 0 ? new Transactions(dataSource, new Statements(dataSource), undefined, rules) : undefined;
        const options = {
          ...{ name, userTypes, takesOverUserTypes, onProgress, idleTransactionMs, transactions },
          ...choices,
          deactivateMissing: deactivateMissing && { ...deactivateMissing, spares },
        };
        const imported = await importFile(dataSource, read, { ...IMPORT_ACT, reason }, options);
        await sealJournal(dataSource);
        return imported;
      });
      bar.stop();
      if (summary.preview) process.stdout.write(`${describePreview(summary, summary.preview, spares).join('\n')}\n`);
      for (const { line, problem } of summary.warnings) process.stderr.write(`Warning: line ${line}: ${problem}.\n`);
      process.stderr.write(`${summary.preview ? DRY_RUN : describeImport(summary, spares)}\n`);
    } finally {
      await read.close();
    }
  } finally {
    bar.stop();
    chunks.destroy();
  }
}

/** Reports a wrong file name before anything else is done. */
async function openInput(file: string): Promise<{ chunks: Readable; bytes: number | undefined }> {
  if (file === '-') return { chunks: process.stdin, bytes: undefined };
  const handle = await openToRead(file);
  const stats = await handle.stat();
  return { chunks: handle.createReadStream(), bytes: stats.isFile() ? stats.size : undefined };
}

const DRY_RUN = 'Nothing was changed: this was a dry run.';

export async function exportToOutput({ withDirectory }: CommandTools): Promise<void> {
  await withDirectory(async (dataSource) => {
    try {
      await pipeline(Readable.from(linesOf(exportDirectory(dataSource))), process.stdout, { end: false });
    } catch (error) {
      // The end of the process reports a failure of standard output. A reader that closes the pipe is none.
      if (error !== outputFailure()) throw error;
    }
  }, false);
}

async function* linesOf(records: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  for await (const record of records) yield `${record}\n`;
}
