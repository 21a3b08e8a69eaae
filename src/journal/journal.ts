import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Judged } from '../auth/judge-caller';
import { groupEntries } from './group-entries';
import type { NewEntry } from './new-entry';
import { recordableAttribution } from './recordable';

/**
 * The append-only record of who did what.
 *
 * @example
 * const judged = await judgeCaller(manager, { actor: caller, requestId });
 * await journal.append(manager, judged, [
 *   { action: 'user.status.changed', user: 'ben', before: { status: 'active' }, after: { status: 'inactive' } },
 * ]);
 */
@Injectable()
export class Journal {
  /**
   * Appends entries in the transaction of the changes, with at most one statement, however many entries there are.
   *
   * It locks nothing. Changes to one user are appended while that user is locked, so their entries are in the order of the changes.
   */
  async append(manager: EntityManager, judged: Judged, entries: readonly NewEntry[]): Promise<void> {
    if (entries.length === 0) return;
    await manager.query(
      `SELECT journal_append_changes($1, $2, $3, $4, $5, $6, ARRAY(
         SELECT change FROM json_populate_recordset(NULL::journal_new_change, $7) AS change
       ))`,
      [...recordableAttribution(judged), JSON.stringify(groupEntries(entries))],
    );
  }
}
