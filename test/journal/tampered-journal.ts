import type { DataSource, EntityManager } from 'typeorm';
import { type JournalVerdict, type Seal, verifyJournal } from '../../src/journal/verify-journal';
import { openMigratedDatabase, type MigratedDatabase } from '../support/migrated-database';
import { sealed } from '../support/sealed';
import { promote } from './promote';

type Tampering = (manager: EntityManager) => Promise<unknown>;

class Undo extends Error {}

/** A journal of four seals, each over one change: to Ann; to Ben, Cyd and Dee; to Eve; to Flo and Gus. Tests tamper with it. */
export class TamperedJournal {
  private constructor(
    readonly dataSource: DataSource,
    /** The positions of the changes. */
    readonly changes: readonly number[],
    readonly close: MigratedDatabase['close'],
  ) {}

  static async open(): Promise<TamperedJournal> {
    const { dataSource, close } = await openMigratedDatabase();
    for (const users of [['ann'], ['ben', 'cyd', 'dee'], ['eve'], ['flo', 'gus']]) {
      await promote(dataSource, users);
      await sealed(dataSource);
    }
    const rows: { position: string }[] = await dataSource.query('SELECT position FROM journal_changes ORDER BY 1');
    return new TamperedJournal(
      dataSource,
      rows.map(({ position }) => Number(position)),
      close,
    );
  }

  /** What verification finds after somebody has tampered. Everything is undone at the end. @param asOwner who switches off the triggers */
  async verdictAfter(tamper: Tampering, asOwner = true, since?: Seal): Promise<JournalVerdict> {
    let verdict: JournalVerdict | undefined;
    const tampering = this.dataSource.transaction(async (manager) => {
      const tables = ['changes', 'changes_default', 'subjects', 'subjects_default', 'seals'];
      if (asOwner) for (const table of tables) await manager.query(`ALTER TABLE journal_${table} DISABLE TRIGGER USER`);
      await tamper(manager);
      verdict = await verifyJournal(manager, since);
      throw new Undo();
    });
    await expect(tampering).rejects.toThrow(Undo);
    return verdict as JournalVerdict;
  }
}
