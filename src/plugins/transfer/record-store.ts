import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Keeps what was read of a directory file, in batches of text. */
export interface RecordStore {
  readonly batches: number;
  append(batch: string): Promise<void>;
  read(index: number): Promise<string>;
  close(): Promise<void>;
}

/** In a file that only this process can read, and that disappears with the process. For files of any size. */
export class FileStore implements RecordStore {
  private readonly ends: number[] = [];

  private constructor(private readonly file: FileHandle) {}

  static async open(): Promise<FileStore> {
    const folder = await mkdtemp(join(tmpdir(), 'user-admin-')).catch(refuseFolder);
    try {
      return new FileStore(await open(join(folder, 'directory'), 'wx+', 0o600).catch(refuseFolder));
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  get batches(): number {
    return this.ends.length;
  }

  async append(batch: string): Promise<void> {
    // Not `write`, which writes a part if the disk is nearly full.
    await this.file.appendFile(batch);
    this.ends.push((this.ends.at(-1) ?? 0) + Buffer.byteLength(batch));
  }

  async read(index: number): Promise<string> {
    const [start, end] = [this.ends[index - 1] ?? 0, this.ends[index] ?? 0];
    const { buffer } = await this.file.read(Buffer.alloc(end - start), 0, end - start, start);
    return buffer.toString('utf8');
  }

  close(): Promise<void> {
    return this.file.close();
  }
}

/** In memory, for a file whose size is bounded: a service may have no folder to write in. */
export class MemoryStore implements RecordStore {
  private readonly texts: string[] = [];

  get batches(): number {
    return this.texts.length;
  }

  append(batch: string): Promise<void> {
    this.texts.push(batch);
    return Promise.resolve();
  }

  read(index: number): Promise<string> {
    return Promise.resolve(this.texts[index] ?? '[]');
  }

  close(): Promise<void> {
    this.texts.length = 0;
    return Promise.resolve();
  }
}

/** The code of a system error alone could also come from a connection to the database. */
function refuseFolder(cause: NodeJS.ErrnoException): never {
  throw new Error(
    `The folder ${tmpdir()} cannot be used for a temporary file (${cause.code ?? cause.message}). ` +
      'Let this user write there, or set TMPDIR to another folder. Nothing was imported.',
    { cause },
  );
}
