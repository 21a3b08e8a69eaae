import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import {
  APP_PLUGINS,
  type ChangeContext,
  CONFIG,
  type Config,
  LIMITS,
  type Plugin,
  ServiceError,
  Transactions,
} from '../door';
import type { Representation } from '../../contract/answers';
import { type LineError } from '../../contract/errors';
import { Cancellation, GoneError } from '@user-administration/postgres';
import { ChangeCounts } from '../../directory/change-counts';
import { tooLargeToRepresent } from '../../users/id-lists.rules';
import { UserTypeService } from '../../users/user-type/user-type.service';
import { DirectoryFile } from './directory-file';
import type { FileRecord } from './directory-record.rules';
import type { ImportQueryDto, ImportResultDto } from './dto/import.dto';
import { type ImportSummary, importFile } from './import-directory';
import { ImportError, ImportRefused, type LineProblem } from './import-error';
import { AT_MOST, readAtMost, type Sync } from './import-missing';
import { readCsv } from './read-csv';
import { piecesOf, readLines } from './read-lines';
import { readNdjson } from './read-ndjson';
import { MemoryStore } from './record-store';
import { FILE_ERRORS } from './errors';
import { FILE_LIMITS } from './limits';

/** A file as it was sent. */
export interface SentFile {
  bytes: Buffer;
  format: 'ndjson' | 'csv';
}

/** The import of the command line, for an administrator, who is its actor in the journal. */
@Injectable()
export class ImportRequestService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly userTypes: UserTypeService,
    private readonly cancellation: Cancellation,
    private readonly counts: ChangeCounts,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(APP_PLUGINS) private readonly plugins: readonly Plugin[],
  ) {}

  /**
   * @param gone when to end, because nobody waits for the answer
   * @throws ServiceError `import.too_large`, `import.empty`, `import.invalid`, `import.running`,
   *   `import.too_many_deactivations`, `query.invalid` for an unknown user to keep, `directory.last_administrator`,
   *   `request.too_large_to_represent`
   */
  async execute(
    file: SentFile,
    query: ImportQueryDto,
    context: ChangeContext,
    gone: AbortSignal,
  ): Promise<Representation> {
    try {
      return await this.import(file, query, context, gone);
    } catch (error) {
      // Nobody hears the answer.
      if (gone.aborted) throw new ServiceError('request.malformed', {}, { cause: 'the caller has gone' });
      throw toRefusal(error);
    }
  }

  private async import(
    { bytes, format }: SentFile,
    query: ImportQueryDto,
    context: ChangeContext,
    gone: AbortSignal,
  ): Promise<Representation> {
    const { dryRun = false } = query;
    const lines = readLines(piecesOf(bytes, gone));
    const records = atMost(FILE_LIMITS.records, format === 'csv' ? readCsv(lines) : readNdjson(lines));
    const file = await DirectoryFile.read(records, undefined, new MemoryStore());
    if (file.records === 0 && file.problems.length === 0) throw FILE_ERRORS.refusal('import.empty');
    let answer: Representation | undefined;
    const unit = dryRun ? undefined : context.unit;
    // Judged within the transaction, so that an answer that is too large rolls back, and is kept with the key.
    const transactions = {
      run: <T>(work: (manager: EntityManager) => Promise<T>) =>
        this.transactions.run(
          async (manager) => {
            const [{ pid }] = await manager.query<[{ pid: number }]>('SELECT pg_backend_pid() AS pid');
            const done = await this.cancellation.during(pid, gone, () => work(manager));
            if (gone.aborted) throw new GoneError();
            answer = represent(done as ImportSummary, dryRun);
            return done;
          },
          unit,
          () => answer && { json: answer.json, dryRun: answer.dryRun },
        ),
    };
    const sync = syncOf(query);
    const summary = await importFile(this.dataSource, file, context, {
      userTypes: this.userTypes,
      idleTransactionMs: this.config.databaseBounds.idleTransactionMs,
      deactivateMissing: sync && { ...sync, spares: this.plugins.flatMap(({ spares = [] }) => spares) },
      dryRun,
      transactions,
      isRequest: true,
      listed: dryRun ? FILE_LIMITS.changes : 0,
      name: query.name,
      counts: this.counts,
    });
    return answer ?? represent(summary, dryRun);
  }
}

function represent(
  { outcome, missing, changes, warnings }: ImportSummary,
  dryRun: boolean,
): Representation<ImportResultDto> {
  const spared = Object.values(missing?.spared ?? {}).reduce((sum, count) => sum + count, 0);
  const result = {
    ...outcome,
    spared,
    ...(warnings.length > 0 && { warnings: warnings.map(toLineError) }),
    ...(changes && { changes }),
  };
  const json = JSON.stringify(result);
  if (Buffer.byteLength(json) > LIMITS.pageBytes) throw tooLargeToRepresent();
  return { result, json, dryRun };
}

function syncOf({
  deactivateMissing,
  atMost = AT_MOST,
  keep,
  includeAdministrators,
}: ImportQueryDto): Sync | undefined {
  const limit = readAtMost(atMost);
  return deactivateMissing && limit ? { atMost: limit, keep, includeAdministrators } : undefined;
}

/** @throws ServiceError `import.too_large` */
async function* atMost(most: number, records: AsyncIterable<FileRecord>): AsyncGenerator<FileRecord, void, undefined> {
  let count = 0;
  for await (const record of records) {
    if (++count > most) throw FILE_ERRORS.refusal('import.too_large');
    yield record;
  }
}

function toRefusal(error: unknown): unknown {
  if (error instanceof ImportRefused) return error.refusal;
  if (!(error instanceof ImportError)) return error;
  return FILE_ERRORS.refusal('import.invalid', { lines: error.problems.map(toLineError) });
}

const toLineError = ({ line, problem }: LineProblem): LineError => ({ line, message: problem });
