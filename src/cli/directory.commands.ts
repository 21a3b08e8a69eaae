import { open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { exportDirectory } from '../directory-transfer/export-directory';
import { DirectoryFile } from '../directory-transfer/directory-file';
import { importFile, type ImportSummary } from '../directory-transfer/import-directory';
import type { ImportReport } from '../directory-transfer/import-progress';
import { readLines } from '../directory-transfer/read-lines';
import type { UserTypeService } from '../users/user-type.service';
import { outputFailure } from './output';
import { ProgressBar } from './progress-bar';
import { withDirectory } from './with-directory';

/** The actor in the journal. A user of the command has access to the database, but no name in the directory. */
const IMPORT_ACT = { actor: { kind: 'system', id: 'user-admin import' } } as const;

export function addDirectoryCommands(program: Command, userTypes: UserTypeService): void {
  const directory = program.command('directory').description('Import and export the whole directory.');
  directory
    .command('import')
    .description('Create and update records from NDJSON, one record per line: all of them, or none.')
    .argument('<file>', 'the file, or - for standard input')
    .addHelpText(
      'after',
      `
New records are created, and existing records are updated. Every line needs the id, the name of a workspace or group, the
workspace of a group, and the grants of a permission. Other fields and lists that a line leaves out stay as they are; a list in
a line replaces the existing list. Lines can have any order, and can refer to each other and to existing records:

  {"permission":{"id":"content.read","description":"Read content","grants":"member"}}
  {"workspace":{"id":"atlas","name":"Atlas","permissions":["content.read"]}}
  {"group":{"id":"atlas-editors","name":"Editors","workspace":"atlas","permissions":[]}}
  {"user":{"id":"ada","email":"ada@example.com","workspaces":["atlas"],"groups":["atlas-editors"]}}

Examples:
  $ user-admin directory import people.ndjson
  $ zcat backup.ndjson.gz | user-admin directory import -`,
    )
    .action((file: string) => importFrom(file, userTypes));
  directory
    .command('export')
    .description('Write the whole directory to standard output as NDJSON, from one snapshot.')
    .addHelpText(
      'after',
      `
An import of an export changes nothing.

Examples:
  $ user-admin directory export > backup.ndjson
  $ user-admin directory export | grep '^{"user"' | head`,
    )
    .action(exportToOutput);
}

/** Reads the whole input before the database is opened, so that slow input blocks nobody. */
async function importFrom(file: string, userTypes: UserTypeService): Promise<void> {
  const { chunks, bytes } = await openInput(file);
  const bar = new ProgressBar(bytes);
  try {
    const onProgress = (report: ImportReport) => bar.report(report);
    const read = await DirectoryFile.read(readLines(bar.watch(chunks)), (done) =>
      onProgress({ phase: 'Reading', done }),
    );
    try {
      const summary = await withDirectory((dataSource) =>
        importFile(dataSource, read, IMPORT_ACT, { userTypes, onProgress }),
      );
      bar.stop();
      process.stderr.write(`${describe(summary)}\n`);
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
  try {
    const stats = await stat(file);
    if (stats.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    const handle = await open(file);
    return { chunks: handle.createReadStream(), bytes: stats.isFile() ? stats.size : undefined };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`Cannot read ${file}: ${UNREADABLE[code ?? ''] ?? message}.`, { cause: error });
  }
}

const UNREADABLE: Record<string, string | undefined> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
};

function describe({ records, created, rowsWritten }: ImportSummary): string {
  const counts = [
    counted(created.permission, 'permission'),
    counted(created.workspace, 'workspace'),
    counted(created.group, 'group'),
    counted(created.user, 'user'),
  ].filter((count) => count !== '');
  const read = counted(records, 'record') || 'no records';
  if (rowsWritten === 0) return `Read ${read}. The directory already matched them: nothing changed.`;
  return `Imported ${read}. New: ${counts.join(', ') || 'none'}.`;
}

function counted(count: number, what: string): string {
  return count === 0 ? '' : `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}

async function exportToOutput(): Promise<void> {
  await withDirectory(async (dataSource) => {
    try {
      await pipeline(Readable.from(linesOf(exportDirectory(dataSource))), process.stdout, { end: false });
    } catch (error) {
      // Reported at the end of the process, or the reader has closed the pipe.
      if (error !== outputFailure()) throw error;
    }
  }, false);
}

async function* linesOf(records: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  for await (const record of records) yield `${record}\n`;
}
