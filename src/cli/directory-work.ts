import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exportDirectory } from '../directory-transfer/export-directory';
import { DirectoryFile } from '../directory-transfer/directory-file';
import { importFile } from '../directory-transfer/import-directory';
import { ImportRefused } from '../directory-transfer/import-error';
import type { ImportReport } from '../directory-transfer/import-progress';
import type { Sync } from '../directory-transfer/import-missing';
import { openToRead } from '../directory-transfer/open-to-read';
import { readCsv } from '../directory-transfer/read-csv';
import { readLines } from '../directory-transfer/read-lines';
import { readNdjson } from '../directory-transfer/read-ndjson';
import { type ErrorCode, ServiceError } from '../contract/errors';
import { Statements } from '@user-administration/postgres';
import { Transactions } from '../database/transactions';
import { Journal } from '../journal/journal';
import { sealJournal } from '../journal/seal-journal';
import { DeleteUserService } from '../users/delete-user.service';
import { UserTypeRule } from '../users/user-type/user-type-rule';
import { UserTypeService } from '../users/user-type/user-type.service';
import { describeImport, describePreview } from './describe-import';
import { outputFailure } from './output';
import { ProgressBar } from './progress-bar';
import { withDirectory } from './with-directory';

/** The actor in the journal. A user of the command has access to the database, but no name in the directory. */
const IMPORT_ACT = { actor: { kind: 'system', id: 'user-admin import' } } as const;
const ERASURE_ACT = { actor: { kind: 'system', id: 'user-admin erase' } } as const;

const REFUSALS: Partial<Record<ErrorCode, string>> = {
  'user.unknown': 'There is no such user, and nobody who has gone ever had this id. Nothing was changed.',
  'directory.last_administrator': 'At least one active administrator must remain. Nothing was changed.',
};

const NO_FORMER = 'Nobody who has gone ever had this id. Nothing was changed.';

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
  { format, reason, ...choices }: ImportChoices,
  userTypeRule = new UserTypeRule(),
): Promise<void> {
  const userTypes = new UserTypeService(userTypeRule);
  const { chunks, bytes } = await openInput(file);
  const bar = new ProgressBar(bytes);
  try {
    const onProgress = (report: ImportReport) => bar.report(report);
    const records = FORMATS[format](readLines(bar.watch(chunks)));
    const read = await DirectoryFile.read(records, (done) => onProgress({ phase: 'Reading', done }));
    try {
      if (read.records === 0 && read.problems.length === 0)
        throw new ImportRefused('The file has no records', new ServiceError('import.empty'));
      const summary = await withDirectory(async (dataSource, _, config) => {
        const { takesOverUserTypes, databaseBounds } = config;
        const { idleTransactionMs } = databaseBounds;
        const name = file === '-' ? undefined : basename(file);
        const options = { name, userTypes, takesOverUserTypes, onProgress, idleTransactionMs, ...choices };
        const imported = await importFile(dataSource, read, { ...IMPORT_ACT, reason }, options);
        await sealJournal(dataSource);
        return imported;
      });
      bar.stop();
      if (summary.preview) process.stdout.write(`${describePreview(summary, summary.preview).join('\n')}\n`);
      for (const { line, problem } of summary.warnings) process.stderr.write(`Warning: line ${line}: ${problem}.\n`);
      process.stderr.write(`${summary.preview ? DRY_RUN : describeImport(summary)}\n`);
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

export async function exportToOutput(): Promise<void> {
  await withDirectory(async (dataSource) => {
    try {
      await pipeline(Readable.from(linesOf(exportDirectory(dataSource))), process.stdout, { end: false });
    } catch (error) {
      // The end of the process reports a failure of standard output. A reader that closes the pipe is none.
      if (error !== outputFailure()) throw error;
    }
  }, false);
}

export async function erase(id: string, whom: true | 'former'): Promise<void> {
  await withDirectory(async (dataSource) => {
    const statements = new Statements(dataSource);
    const deletion = new DeleteUserService(new Transactions(dataSource, statements), statements, new Journal());
    await deletion.execute(id, ERASURE_ACT, { erase: whom }).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
      if (whom === 'former' && error.code === 'user.unknown') throw new Error(NO_FORMER);
      throw new Error(REFUSALS[error.code] ?? error.code);
    });
  });
  process.stderr.write(whom === 'former' ? 'The former users were erased.\n' : 'The user was erased.\n');
}

async function* linesOf(records: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  for await (const record of records) yield `${record}\n`;
}
