import type { DataSource, EntityManager } from 'typeorm';
import { asOvertaken, dryRun, isOvertaken, OvertakenError, retryOvertaken } from '@user-administration/postgres';
import { type Attribution, judgeCaller } from '../door';
import { refusalOf } from '../../database/refusals';
import { ChangeCounts } from '../../directory/change-counts';
import { refuseOtherImports, waitForOtherImports } from './import-lock';
import { claimUserTypes } from '../../users/user-type/user-type-owner';
import type { UserTypeService } from '../../users/user-type/user-type.service';
import type { RecordKind } from './directory-record.rules';
import { DirectoryFile } from './directory-file';
import { CHECK_STEPS, checkStaged } from './import-checks';
import { findDoubtfulIds } from './doubtful-ids';
import type { LineProblem } from './import-error';
import { appendChanges } from './import-journal';
import { lockAffected } from './import-locks';
import { type MissingCounts, MissingUsers, type SparingSync } from './import-missing';
import { type ImportCounts, listChanges, type RecordChange } from './import-outcome';
import { type Preview, previewChanges } from './import-preview';
import { makeRoom } from './import-session';
import { requireLeft } from './import-administrators';
import { recomputeTypes, TYPE_CHUNK } from './import-types';
import { ImportProgress, type ImportReport } from './import-progress';
import { rememberRecords } from './import-record-changes';
import { rememberUsers } from './import-user-changes';
import { writeStaged, writeSteps } from './import-writes';
import { readNdjson } from './read-ndjson';
import type { Lines } from './read-lines';
import { stageLinks, stageRecords } from './staging';
import { FILE_LIMITS } from './limits';

interface ImportOptions {
  /** The name of the file, for the journal. */
  name?: string | undefined;
  /** Derives the types of the affected users. */
  userTypes: UserTypeService;
  /** Whether their rule replaces another one by which the types of the directory were derived. */
  takesOverUserTypes?: boolean | undefined;
  /**
   * For how long its transaction may be idle, in milliseconds; 0 for no limit. By default, for as long as any of the
   * session.
   */
  idleTransactionMs?: number | undefined;
  /** Deactivates the active users that the file does not name. */
  deactivateMissing?: SparingSync | undefined;
  /** Does everything, and rolls it back. */
  dryRun?: boolean | undefined;
  /** Called after each step. */
  onProgress?(report: ImportReport): void;
  /** Runs last in the transaction of the import, and again if the transaction is repeated. */
  finish?(manager: EntityManager): Promise<void>;
  /** Runs the transaction, and repeats it when another one overtakes it. By default, one of the data source. */
  transactions?: { run<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> } | undefined;
  /**
   * Whether somebody waits for an answer: it is refused while another import is under way, and waits for a record no
   * longer than any request. Otherwise it waits for both.
   */
  isRequest?: boolean | undefined;
  /** Adds the changes to the metrics of this process. */
  counts?: ChangeCounts | undefined;
  /** How many changes of records to list. */
  listed?: number | undefined;
}

export interface ImportSummary {
  /** Records read. */
  records: number;
  /** Records that were created. */
  created: Record<RecordKind, number>;
  /** The active users that the file does not name; only for a sync. */
  missing?: MissingCounts;
  /** Of a dry run. */
  preview?: Preview[];
  outcome: ImportCounts;
  /** The first good lines that may be wrong, at most `FILE_LIMITS.warnings`. */
  warnings: LineProblem[];
  /** If it was asked for. */
  changes?: RecordChange[];
  /** Rows written in all, with memberships and derived types: 0 if the directory already matched the file. */
  rowsWritten: number;
}

/** From this number of rows in the file on, new statistics are worth their cost. */
const MANY_ROWS = 500;

/**
 * Upserts the records of NDJSON in one transaction: all of them, or none. A list replaces the existing list;
 * a missing field stays as it is. The journal records each record and each set of permissions that changed.
 *
 * @throws ImportError that names the bad lines
 * @throws ImportRefused when it would take away the last active administrator, or deactivate too many missing users
 * @throws OvertakenError when other transactions were faster in each attempt
 * @example
 * const attribution = { actor: { kind: 'system', id: 'nightly import' } } as const;
 * await importDirectory(dataSource, readLines(createReadStream('directory.ndjson')), attribution, { userTypes });
 */
export async function importDirectory(
  dataSource: DataSource,
  lines: Lines,
  attribution: Attribution,
  options: ImportOptions,
): Promise<ImportSummary> {
  const file = await DirectoryFile.read(readNdjson(lines), (done) => options.onProgress?.({ phase: 'Reading', done }));
  try {
    return await importFile(dataSource, file, attribution, options);
  } finally {
    await file.close();
  }
}

/**
 * As {@link importDirectory}, for a file that has been read. After a conflict with another transaction it starts the
 * transaction again.
 */
export async function importFile(
  dataSource: DataSource,
  file: DirectoryFile,
  attribution: Attribution,
  options: ImportOptions,
): Promise<ImportSummary> {
  const progress = new ImportProgress(options.onProgress);
  const missing = options.deactivateMissing && new MissingUsers(options.deactivateMissing);
  const transactions = options.transactions ?? {
    run: <T>(work: (manager: EntityManager) => Promise<T>) =>
      retryOvertaken(() => dataSource.transaction('READ COMMITTED', work).catch(throwOvertaken)),
  };
  const attempt = async (manager: EntityManager): Promise<ImportSummary> => {
    const imported = await importInto(manager, file, attribution, { ...options, missing }, progress).catch(
      throwOvertaken,
    );
    await options.finish?.(manager);
    return imported;
  };
  const run = options.dryRun ? dryRun(transactions, attempt) : transactions.run(attempt);
  const summary = await run.catch((cause: unknown) => {
    if (!isOvertaken(cause)) throw refusalOf(cause) ?? cause;
    const message = 'Other transactions changed the same records. Nothing was imported; try again.';
    throw new OvertakenError(message, { cause });
  });
  if (!options.dryRun) await analyze(dataSource, file);
  progress.step();
  return summary;
}

function throwOvertaken(error: unknown): never {
  throw asOvertaken(error);
}

/**
 * Updates the statistics of all columns, for lists and searches: the transaction only updates those that it needs
 * itself. The import has been committed, so a failure here is not its failure.
 */
async function analyze(dataSource: DataSource, file: DirectoryFile): Promise<void> {
  if (file.rows < MANY_ROWS) return;
  await dataSource.query('ANALYZE permissions, workspaces, groups, users').catch(() => undefined);
}

async function importInto(
  manager: EntityManager,
  file: DirectoryFile,
  attribution: Attribution,
  {
    userTypes,
    takesOverUserTypes,
    idleTransactionMs,
    missing,
    dryRun,
    listed = 0,
    name,
    counts = new ChangeCounts(),
    isRequest = false,
  }: ImportOptions & {
    missing: MissingUsers | undefined;
  },
  progress: ImportProgress,
): Promise<ImportSummary> {
  progress.begin('Checking', file.batches + 2 + CHECK_STEPS);
  await makeRoom(manager, idleTransactionMs, !isRequest);
  await manager.query('SELECT create_import_tables()');
  await stageRecords(manager, file, progress);
  // What a dry run finds can be out of date at once, so it waits for no other import.
  if (!dryRun) await (isRequest ? refuseOtherImports : waitForOtherImports)(manager);
  const isTakeOver = await claimUserTypes(manager, userTypes.rule, takesOverUserTypes ?? false);
  const doubts = await findDoubtfulIds(manager);
  // They would make strangers, and deactivate the people who were meant.
  const problems = missing ? [...file.problems, ...doubts] : file.problems;
  // A file with bad lines is refused anyway, and they may name users.
  const sync = problems.length === 0 ? missing : undefined;
  await sync?.stage(manager);
  const isLarge = file.rows >= MANY_ROWS;
  const kinds = sync ? new Set([...file.kinds, 'user' as const]) : file.kinds;
  await stageLinks(manager, isLarge);
  progress.step();
  const lockedUsers = await lockAffected(manager, isTakeOver);
  const judged = await judgeCaller(manager, attribution);
  const missed = await sync?.settle(manager);
  progress.step();
  await checkStaged(manager, problems, progress);
  const affected = await countAffected(manager);
  progress.begin('Writing', writeSteps(affected.users) + 1 + Math.ceil(affected.users / TYPE_CHUNK));
  await rememberRecords(manager, kinds);
  await rememberUsers(manager, lockedUsers);
  progress.step();
  const { created, rowsWritten } = await writeStaged(
    manager,
    kinds,
    { isLarge, grantsTypes: userTypes.rule.query === null },
    progress,
  );
  const typesWritten = await recomputeTypes(manager, userTypes, progress);
  const outcome = await appendChanges(manager, judged, kinds, { name: name ?? null, counts }, progress);
  // Last, so that the administrator guard is held only briefly. `LockedRecords` says what follows from this order.
  if (affected.administrators) await requireLeft(manager, judged);
  return {
    records: file.records,
    created,
    warnings: [...file.warnings, ...(missing ? [] : doubts)]
      .sort((a, b) => a.line - b.line)
      .slice(0, FILE_LIMITS.warnings),
    ...(missed && { missing: missed }),
    outcome,
    ...(dryRun && listed === 0 && { preview: await previewChanges(manager) }),
    ...(listed > 0 && { changes: await listChanges(manager, listed) }),
    rowsWritten: rowsWritten + typesWritten,
  };
}

/**
 * The number of users whose type may change, and whether an active administrator is among them: an import can remove
 * the last administrator only if there is one, and the first import may bring none.
 */
async function countAffected(manager: EntityManager): Promise<{ users: number; administrators: boolean }> {
  const [row]: { users: number; administrators: boolean }[] = await manager.query(
    `SELECT count(*)::integer AS users,
       COALESCE(bool_or(type = 'administrator' AND status = 'active'), false) AS administrators
     FROM users_affected LEFT JOIN users USING (id)`,
  );
  return row ?? { users: 0, administrators: false };
}
