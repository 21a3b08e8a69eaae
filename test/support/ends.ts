import { EndsClock } from '../../packages/testing/src/ends-clock';
import { Expiry } from '../../src/expiry/expiry';
import type { TestService } from './test-service';

/** The time in so many seconds, without milliseconds. */
export const at = (seconds: number): string =>
  new Date(Math.round(Date.now() / 1000) * 1000 + seconds * 1000).toISOString();

export const HOUR = at(3600);
export const DAY = at(86_400);

/** Ben in Atlas and in a group of it, in the small directory. */
export const BEN = { userIds: ['ben'], workspaces: ['atlas'], groups: ['atlas-managers'] };

interface TestClock {
  /** What ends meanwhile has passed, and is not carried out by this. */
  advance(seconds: number): Promise<void>;
  /** Back to the real time. */
  reset(): Promise<void>;
  /** As {@link advance}, and carries out what has ended. */
  passes(seconds: number): Promise<void>;
}

/** The clock by which ends are judged. Each test begins at the real time, whatever a test before has left. */
export function useEndsClock(service: TestService): TestClock {
  let clock: EndsClock;
  beforeEach(async () => {
    clock = new EndsClock(service.dataSource);
    await clock.advance(1);
    await clock.set(0);
  });
  return {
    advance: (seconds) => clock.advance(seconds),
    reset: () => clock.set(0),
    passes: async (seconds) => {
      await clock.advance(seconds);
      await service.app.get(Expiry).carryOut();
    },
  };
}
