import type { DataSource, EntityManager } from 'typeorm';
import { refusalOf } from '../database/sql-errors';
import { requireAnAdministrator } from '../directory/last-administrator.rule';
import { LockedUsers } from '../directory/locked-users';
import type { Attribution } from '../contract/attribution';
import type { UserTypeService } from '../users/user-type.service';
import type { RecordKind } from './directory-record.rules';
import { checkStaged } from './import-checks';
import { appendChanges, rememberState } from './import-journal';
import { lockAffected, takeTurn } from './import-locks';
import { writeStaged } from './import-writes';
import { createStaging, stageLinks, stageRecords } from './staging';

export interface ImportOptions {
  /** The rule that derives the types of the users affected. */
  userTypes: UserTypeService;
  /** Called from time to time while the lines are read, and once when all are. */
  onProgress?(linesRead: number): void;
}

export interface ImportSummary {
  /** Records read. */
  records: number;
  /** Records of them that are new. */
  created: Record<RecordKind, number>;
  /** Rows written in all, with memberships and derived types: 0 when the directory already was as the file says. */
  rowsWritten: number;
}

/** Users whose types are derived at once: all of them would not fit into a constant amount of memory. */
const TYPE_CHUNK = 10_000;

/**
 * Upserts the records of a directory file in one transaction: all of them, or none. A list that is given replaces what was;
 * a field left out stays as it was. It reads a stream, which cannot be read twice, so a conflict with another transaction
 * ends the import, and whoever has the file starts it again. The journal is told of each record and each set of permissions
 * that changed, and by whose act.
 *
 * @throws ImportError that names the line at fault
 * @throws ServiceError `status.last_administrator` when it would take away the last active administrator
 * @example
 * const act = { actor: { kind: 'system', id: 'nightly import' } } as const;
 * await importDirectory(dataSource, readLines(createReadStream('directory.ndjson')), act, { userTypes });
 */
export async function importDirectory(
  dataSource: DataSource,
  lines: AsyncIterable<string> | Iterable<string>,
  attribution: Attribution,
  options: ImportOptions,
): Promise<ImportSummary> {
  try {
    return await dataSource.transaction((manager) => importInto(manager, lines, attribution, options));
  } catch (error) {
    throw refusalOf(error) ?? error;
  }
}

async function importInto(
  manager: EntityManager,
  lines: AsyncIterable<string> | Iterable<string>,
  attribution: Attribution,
  { userTypes, onProgress }: ImportOptions,
): Promise<ImportSummary> {
  await makeRoom(manager);
  await createStaging(manager);
  const records = await stageRecords(manager, lines, onProgress);
  await stageLinks(manager);
  // Nothing of the directory is locked until here, however slowly the lines came.
  await takeTurn(manager);
  await lockAffected(manager);
  await checkStaged(manager);
  const touchesAdministrators = await affectsActiveAdministrators(manager);
  await rememberState(manager);
  const { created, rowsWritten } = await writeStaged(manager);
  const typesWritten = await recomputeTypes(manager, userTypes);
  if (touchesAdministrators) await requireAnAdministrator(manager);
  await appendChanges(manager, attribution);
  return { records, created, rowsWritten: rowsWritten + typesWritten };
}

/**
 * What suits requests does not suit an import: bounds on time would end that of a slow stream or a large file, compiling the
 * type rule for each chunk takes longer than running it, and sorts of this size deserve memory. For this transaction only.
 */
const SETTINGS = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  jit: 'off',
  work_mem: '64MB',
};

async function makeRoom(manager: EntityManager): Promise<void> {
  for (const [name, value] of Object.entries(SETTINGS)) {
    await manager.query('SELECT set_config($1, $2, true)', [name, value]);
  }
}

/** An import can take an administrator away only from a directory that has one: the first import of all may bring none. */
async function affectsActiveAdministrators(manager: EntityManager): Promise<boolean> {
  const rows: unknown[] = await manager.query(
    `SELECT FROM users JOIN affected_users USING (id) WHERE type = 'administrator' AND status = 'active' LIMIT 1`,
  );
  return rows.length > 0;
}

/** A chunk may demote the last administrator before the next one promotes another: that is judged once, at the end of all. */
async function recomputeTypes(manager: EntityManager, userTypes: UserTypeService): Promise<number> {
  let written = 0;
  for (let last = ''; ;) {
    const rows: { id: string }[] = await manager.query(
      'SELECT id FROM affected_users WHERE id > $1 ORDER BY id LIMIT $2',
      [last, TYPE_CHUNK],
    );
    if (rows.length === 0) return written;
    const users = await LockedUsers.lock(
      manager,
      rows.map(({ id }) => id),
    );
    written += (await userTypes.recompute(manager, users)).length;
    last = rows.at(-1)?.id ?? last;
  }
}
