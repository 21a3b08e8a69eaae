import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CheckedRecord, readRecord, RecordProblem } from './directory-record.rules';
import { ImportError } from './import-error';

const BATCH_RECORDS = 2_000;
const BATCH_CHARACTERS = 4_000_000;

/**
 * A directory file that has been read completely. Its records are in a temporary file, so no connection or lock waits
 * for slow input, and an import can repeat its transaction after a conflict.
 */
export class DirectoryFile {
  /** Records read. */
  records = 0;
  /** Records and elements of their lists. */
  rows = 0;
  private readonly ends: number[] = [];

  private constructor(private readonly file: FileHandle) {}

  /**
   * Reads and checks each line separately.
   *
   * @param onLine called after some thousand lines, and after the last one
   * @throws ImportError for the first line that is not a record
   */
  static async read(
    lines: AsyncIterable<string> | Iterable<string>,
    onLine: (lines: number) => void = () => undefined,
  ): Promise<DirectoryFile> {
    const file = new DirectoryFile(await openNameless());
    try {
      await file.fill(lines, onLine);
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  get batches(): number {
    return this.ends.length;
  }

  /** JSON arrays of `{line, kind, record}`. */
  async *read(): AsyncGenerator<string, void, undefined> {
    let start = 0;
    for (const end of this.ends) {
      const { buffer } = await this.file.read(Buffer.alloc(end - start), 0, end - start, start);
      yield buffer.toString('utf8');
      start = end;
    }
  }

  close(): Promise<void> {
    return this.file.close();
  }

  private async fill(lines: AsyncIterable<string> | Iterable<string>, onLine: (lines: number) => void): Promise<void> {
    let batch: string[] = [];
    let characters = 0;
    let line = 0;
    const flush = async (): Promise<void> => {
      if (batch.length > 0) await this.append(`[${batch.join(',')}]`);
      this.records += batch.length;
      batch = [];
      characters = 0;
      onLine(line);
    };
    for await (const text of lines) {
      line += 1;
      if (text.trim() === '') continue;
      const read = readLine(text, line);
      for (const value of Object.values(read.record)) this.rows += Array.isArray(value) ? value.length : 0;
      this.rows += 1;
      const record = JSON.stringify({ line, ...read });
      batch.push(record);
      characters += record.length;
      if (batch.length >= BATCH_RECORDS || characters >= BATCH_CHARACTERS) await flush();
    }
    await flush();
  }

  private async append(batch: string): Promise<void> {
    // Not `write`, which writes a part if the disk is nearly full.
    await this.file.appendFile(batch);
    this.ends.push((this.ends.at(-1) ?? 0) + Buffer.byteLength(batch));
  }
}

/** A file that only this process can read, and that disappears with the process. */
async function openNameless(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'user-admin-')).catch(refuseFolder);
  try {
    return await open(join(folder, 'directory'), 'wx+', 0o600).catch(refuseFolder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The code of a system error alone could be that of a connection to the database. */
function refuseFolder(cause: NodeJS.ErrnoException): never {
  throw new Error(
    `The folder ${tmpdir()} cannot be used for a temporary file (${cause.code ?? cause.message}). ` +
      'Let this user write there, or set TMPDIR to another folder. Nothing was imported.',
    { cause },
  );
}

function readLine(text: string, line: number): CheckedRecord {
  try {
    return readRecord(text);
  } catch (error) {
    throw error instanceof RecordProblem ? new ImportError(line, error.message) : error;
  }
}
