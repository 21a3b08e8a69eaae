import type { DataSource } from 'typeorm';
import type { Attribution } from '../contract/attribution';
import { recordableAttribution } from '../journal/recordable';

/** The entry of the last change in the journal of the demo directory, so that the example of the documentation works. */
export const DEMO_CHANGE = '33';

/** Eve comes back in the demo directory, and leaves again: the last of these requests can be undone. */
export async function makeDemoChanges(dataSource: DataSource, attribution: Attribution): Promise<void> {
  for (const [status, reason] of [
    ['active', 'Back for a project'],
    ['inactive', 'The project has ended'],
  ] as const) {
    await dataSource.transaction(async (manager) => {
      await manager.query(`SELECT assign_statuses('{eve}', $1, false, false, $2, $3, $4, $5, $6, $7)`, [
        status,
        ...recordableAttribution({ ...attribution, reason }),
      ]);
      // Sealed here, and with a position of the first month, so that the id of its entry is always the same.
      await manager.query('SELECT seal_journal(true, 0)');
    });
  }
}
