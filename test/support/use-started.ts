/** Starts something before the tests of a suite, and closes it after them. The result is filled when it has started. */
export function useStarted<Started extends { close(): Promise<void> }>(start: () => Promise<Started>): Started {
  const started = {} as Started;
  beforeAll(async () => {
    Object.assign(started, await start());
  });
  afterAll(() => started.close());
  return started;
}
