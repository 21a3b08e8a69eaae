/** Starts something before the tests of a suite, and closes it after them. The result is filled when it has started. */
export function useStarted<Started extends { close(): Promise<void> }>(start: () => Promise<Started>): Started {
  const started = {} as Started;
  beforeAll(async () => {
    const running = await start();
    Object.setPrototypeOf(Object.assign(started, running), Object.getPrototypeOf(running) as object);
  });
  afterAll(() => started.close());
  return started;
}
