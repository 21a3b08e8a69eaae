import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Judged } from '../auth/judge-caller';
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
   * Appends in the transaction of the changes, in one statement however many there are, and none if there is none.
   *
   * It locks a chain of the journal until the transaction ends: the last lock of all, after the administrator guard. Changes
   * to one user are appended while that user is locked, so the ids of their entries are in the order of the changes.
   *
   * @returns the ids of the entries, in their order
   */
  async append(manager: EntityManager, judged: Judged, entries: readonly NewEntry[]): Promise<string[]> {
    if (entries.length === 0) return [];
    const rows = entries.map(({ action, user, workspaces, before, after }) => ({
      action,
      user_id: user,
      workspace_ids: workspaces,
      before,
      after,
    }));
    const [appended]: { ids: string[] }[] = await manager.query(
      `SELECT journal_append($1, $2, $3, $4, $5, ARRAY(
         SELECT entry FROM json_populate_recordset(NULL::journal_new_entry, $6) AS entry
       )) AS ids`,
      [...recordableAttribution(judged), JSON.stringify(rows)],
    );
    return appended?.ids ?? [];
  }
}
