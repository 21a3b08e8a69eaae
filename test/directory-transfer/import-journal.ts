import type { DirectoryRecord } from '../../src/contract/directory';
import type { JournalEntryDto } from '../../src/journal/dto/journal-page.dto';
import type { OpenedDatabase } from '@user-administration/postgres';
import { newestEntries, querySealed } from '../support/sealed';
import { TransferDatabase } from './transfer-database';

export const READ: DirectoryRecord = { permission: { id: 'read', grants: 'member' } };
export const ADMINISTER: DirectoryRecord = { permission: { id: 'administer', grants: 'administrator' } };
export const ATLAS: DirectoryRecord = { workspace: { id: 'atlas', name: 'Atlas', permissions: ['read'] } };
export const BOREALIS: DirectoryRecord = { workspace: { id: 'borealis', name: 'Borealis' } };
export const EDITORS: DirectoryRecord = { group: { id: 'editors', name: 'Editors', workspace: 'atlas' } };
export const PLACES = [READ, ADMINISTER, ATLAS, BOREALIS, EDITORS];

type RecordedChange = Pick<JournalEntryDto, 'action' | 'user' | 'workspaces' | 'before' | 'after'>;

/** A directory to import into, and what its journal records of each import. */
export class ImportJournal {
  private seen = '0';

  private constructor(readonly database: TransferDatabase) {}

  /** @param database closed with it; a new one by default */
  static async open(database?: OpenedDatabase): Promise<ImportJournal> {
    return new ImportJournal(await TransferDatabase.open(database));
  }

  close(): Promise<void> {
    return this.database.close();
  }

  /** Imports records whose entries the test does not read. */
  async load(...records: DirectoryRecord[]): Promise<void> {
    await this.database.import(...records);
    this.seen = '0';
    await this.newChanges();
  }

  async newest(count: number): Promise<JournalEntryDto[]> {
    return newestEntries(this.database.dataSource, count);
  }

  /** The entries since the last call, oldest first, but for that of the import itself, which must be the first. */
  async newEntries(): Promise<RecordedChange[]> {
    const [first, ...others] = await this.newChanges();
    if (first && first.action !== 'directory.imported') throw new Error(`the first entry is ${first.action}`);
    return others;
  }

  /** The entries since the last call, oldest first. */
  private async newChanges(): Promise<RecordedChange[]> {
    const entries = await this.newest(100);
    const fresh = entries.filter(({ id }) => BigInt(id) > BigInt(this.seen));
    this.seen = entries[0]?.id ?? '0';
    return fresh
      .sort((one, other) => Number(one.id) - Number(other.id))
      .map(({ action, user, workspaces, before, after }) => ({ action, user, workspaces, before, after }));
  }

  async count(table: string): Promise<number> {
    const rows: { count: number }[] = await querySealed(
      this.database.dataSource,
      `SELECT count(*)::integer AS count FROM ${table}`,
    );
    return rows[0]?.count ?? 0;
  }
}

/** The entry of a user in the file. */
export const imported = (user: string, workspaces: string[], before: object | null, after: object): unknown => ({
  action: before === null ? 'user.created' : 'user.updated',
  user,
  workspaces,
  before,
  after,
});

/** An entry that a request of the API also writes. */
export const change = (
  user: string,
  action: string,
  workspaces: string[],
  before: object | null,
  after: object | null,
): unknown => ({ action, user, workspaces, before, after });

export const permission = (before: object | null, after: object): unknown => ({
  action: before === null ? 'permission.created' : 'permission.updated',
  user: null,
  workspaces: [],
  before,
  after,
});

export const typed = (user: string, before: string, after: string): unknown => ({
  action: 'user.type.changed',
  user,
  workspaces: [],
  before: { type: before },
  after: { type: after },
});
