import type { DataSource, EntityManager } from 'typeorm';
import { type JournalVerdict, verifyJournal } from '../../src/journal/verify-journal';
import { type MigratedDatabase, openMigratedDatabase } from '../support/migrated-database';
import { promote } from './promote';
import { linkHash } from './link-hash';

/** The ids of the first entries of the four changes. Each change reserves 1,024 ids. */
export const [ANN, BEN, EVE, FLO] = [1024, 2048, 3072, 4096] as const;

type Tampering = (manager: EntityManager) => Promise<unknown>;

class Undo extends Error {}

/** A journal of one chain with four changes: to Ann; to Ben, Cyd and Dee; to Eve; to Flo and Gus. Tests tamper with it. */
export class TamperedJournal {
  private constructor(
    readonly dataSource: DataSource,
    readonly chain: number,
    readonly close: MigratedDatabase['close'],
  ) {}

  static async open(): Promise<TamperedJournal> {
    const { dataSource, close } = await openMigratedDatabase();
    // On one connection, and so in one chain.
    await dataSource.transaction(async (manager) => {
      for (const users of [['ann'], ['ben', 'cyd', 'dee'], ['eve'], ['flo', 'gus']]) await promote(manager, users);
    });
    const chains: { chain: number }[] = await dataSource.query('SELECT DISTINCT chain FROM journal_changes');
    expect(chains).toHaveLength(1);
    return new TamperedJournal(dataSource, chains[0]?.chain as number, close);
  }

  /** What `look` finds after somebody who can switch off the triggers has tampered. Everything is undone at the end. */
  async after<T>(tamper: Tampering, look: (manager: EntityManager) => Promise<T>): Promise<T> {
    let seen: T | undefined;
    const tampering = this.dataSource.transaction(async (manager) => {
      for (const table of ['journal_changes', 'journal_heads', 'journal_subjects']) {
        await manager.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
      }
      await tamper(manager);
      seen = await look(manager);
      throw new Undo();
    });
    await expect(tampering).rejects.toThrow(Undo);
    return seen as T;
  }

  verdictAfter(tamper: Tampering): Promise<JournalVerdict> {
    return this.after(tamper, (manager) => verifyJournal(manager));
  }

  /** The verdict on a break that no single entry shows: the journal is broken after this entry. */
  breakAfter(entry: number, what: string): JournalVerdict['broken'] {
    const problem = what.replaceAll('{chain}', `chain ${this.chain}`);
    return { entry: `${entry}`, what: `The journal is broken after entry ${entry}: ${problem}.` };
  }
}

/** The verdict on an entry that does not fit its hash. */
export const doesNotFit = (entry: number): JournalVerdict['broken'] => ({
  entry: `${entry}`,
  what: `Entry ${entry} is broken: it does not fit its hash.`,
});

export const statement =
  (text: string): Tampering =>
  (manager) =>
    manager.query(text);

/** Gives these changes the hashes that fit what they now say. */
export async function rehash(manager: EntityManager, ...ids: number[]): Promise<void> {
  for (const id of ids) {
    await manager.query('UPDATE journal_changes SET hash = $2 WHERE id = $1', [id, await linkHash(manager, id)]);
  }
}
