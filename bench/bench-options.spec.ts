import { readOptions, UsageError } from './bench-options';

const SERVER = 'postgres://127.0.0.1/postgres';

describe('the options of the benchmark', () => {
  it('take the names of workloads in any case', () => {
    expect(readOptions(['--only', 'd,A'], SERVER).only).toEqual(['A', 'D']);
  });

  it.each([['Z'], ['A, D'], ['']])('refuse workloads that do not exist: %p', (only) => {
    expect(() => readOptions(['--only', only], SERVER)).toThrow(UsageError);
  });
});
