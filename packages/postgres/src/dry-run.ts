import type { EntityManager } from 'typeorm';
import type { UnitsOfWork } from './units-of-work';

/** Carries the result of a unit of work out of the transaction that it rolls back. */
class DryRunEnd<T> extends Error {
  constructor(readonly result: T) {
    super('a dry run is rolled back');
  }
}

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
