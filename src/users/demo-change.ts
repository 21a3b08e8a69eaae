import type { DataSource } from 'typeorm';
import type { Attribution } from '../contract/attribution';
import { assignStatuses } from './assign-statuses.service';

/**
 * The entry of the last change in the journal of the demo directory, so that the example of the documentation works.
 */
export const DEMO_CHANGE = '35';

/** Eve comes back in the demo directory, and leaves again: the last of these requests can be undone. */
export async function makeDemoChanges(dataSource: DataSource, attribution: Attribution): Promise<void> {
  for (const [status, reason] of [
    ['active', 'Back for a project'],
    ['inactive', 'The project has ended'],
  ] as const) {
    await dataSource.transaction(async (manager) => {
      const given = { users: ['eve'], status, lenient: false, represented: false };
      await assignStatuses(manager, { ...attribution, reason }, given);
      // Sealed here, and with a position of the first month, so that the id of its entry is always the same.
      await manager.query('SELECT seal_journal(true, 0)');
    });
  }
}
