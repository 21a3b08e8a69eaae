import type { EntityManager } from 'typeorm';
import { DryRunEnd } from './dry-run-end';
import type { UnitsOfWork } from './units-of-work';

/** As {@link UnitsOfWork.run}, but rolls back at the end. It only consumes values of sequences. */
export async function dryRun<T>(
  transactions: Pick<UnitsOfWork, 'run'>,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  try {
    return await transactions.run(async (manager) => {
      throw new DryRunEnd(await work(manager));
    });
  } catch (error) {
    if (error instanceof DryRunEnd) return error.result as T;
    throw error;
  }
}
