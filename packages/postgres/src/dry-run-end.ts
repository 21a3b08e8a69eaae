/** Carries the result of a unit of work out of the transaction that it rolls back. */
export class DryRunEnd<T> extends Error {
  constructor(readonly result: T) {
    super('a dry run is rolled back');
  }
}
