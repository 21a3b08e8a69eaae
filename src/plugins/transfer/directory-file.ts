import {
  type CheckedRecord,
  type FileRecord,
  mayBeNew,
  type RecordKind,
  RecordProblem,
} from './directory-record.rules';
import { ImportError, type LineProblem, MOST_PROBLEMS } from './import-error';
import { FileStore, type RecordStore } from './record-store';
import { doubtOf, warningOf } from './spoiled-texts';
import { Turn } from './turn';
import { FILE_LIMITS } from './limits';

const BATCH_RECORDS = 2_000;
const BATCH_CHARACTERS = 4_000_000;

/**
 * A directory file that has been read completely. Its records are in a store, a temporary file by default, so no
 * connection or lock waits for slow input, and an import can repeat its transaction after a conflict.
 */
export class DirectoryFile {
  /** Records read. */
  records = 0;
  /** The kinds of records that it has. */
  readonly kinds = new Set<RecordKind>();
  /** Records and elements of their lists. */
  rows = 0;
  /**
   * Bad lines, in their order. Each batch contains what is known of their records, so that other lines can refer to
   * them.
   */
  readonly problems: LineProblem[] = [];
  /** The first good lines whose text may be wrong, at most `FILE_LIMITS.warnings`. */
  readonly warnings: LineProblem[] = [];

  private constructor(private readonly store: RecordStore) {}

  /**
   * Reads and checks each record separately. An import names its problems together with those of records that
   * contradict each other.
   *
   * @param onLine called after some thousand lines, and after the last one
   * @throws ImportError if there are too many bad lines, or one that ends the reading
   */
  static async read(
    records: AsyncIterable<FileRecord>,
    onLine: (lines: number) => void = () => undefined,
    store?: RecordStore,
  ): Promise<DirectoryFile> {
    const file = new DirectoryFile(store ?? (await FileStore.open()));
    try {
      await file.fill(records, onLine);
      return file;
    } catch (error) {
      await file.close();
      throw error instanceof ImportError ? new ImportError([...file.problems, ...error.problems]) : error;
    }
  }

  get batches(): number {
    return this.store.batches;
  }

  /** JSON arrays of `{line, kind, record, mayBeNew, doubt}`. */
  async *read(): AsyncGenerator<string, void, undefined> {
    for (let index = 0; index < this.store.batches; index++) yield await this.store.read(index);
  }

  close(): Promise<void> {
    return this.store.close();
  }

  private async fill(records: AsyncIterable<FileRecord>, onLine: (lines: number) => void): Promise<void> {
    let batch: string[] = [];
    let characters = 0;
    let last = 0;
    const flush = async (): Promise<void> => {
      if (batch.length > 0) await this.store.append(`[${batch.join(',')}]`);
      this.records += batch.length;
      batch = [];
      characters = 0;
      onLine(last);
    };
    const turn = new Turn();
    for await (const given of records) {
      last = given.line;
      if (turn.isOver) await turn.end();
      const read = this.check(given);
      if (!read) continue;
      if (turn.isOver) await turn.end();
      for (const value of Object.values(read.record)) this.rows += Array.isArray(value) ? value.length : 0;
      this.rows += 1;
      this.kinds.add(read.kind);
      const record = JSON.stringify({ line: given.line, ...read, mayBeNew: mayBeNew(read), doubt: doubtOf(read) });
      batch.push(record);
      characters += record.length;
      if (batch.length >= BATCH_RECORDS || characters >= BATCH_CHARACTERS) await flush();
    }
    await flush();
  }

  private check({ line, read }: FileRecord): CheckedRecord | undefined {
    try {
      const checked = read();
      const warning = this.warnings.length < FILE_LIMITS.warnings ? warningOf(checked) : undefined;
      if (warning !== undefined) this.warnings.push({ line, problem: warning });
      return checked;
    } catch (error) {
      if (!(error instanceof RecordProblem)) throw error;
      this.problems.push({ line, problem: error.message });
      if (this.problems.length === MOST_PROBLEMS) throw new ImportError([]);
      return error.known;
    }
  }
}
