import type { Judged } from '../../src/auth/judge-caller';
import type { Attribution } from '../../src/contract/attribution';

/** An actor as the journal accepts it, for tests without a judgement. */
export function asJudged(attribution: Attribution): Judged {
  return attribution as Judged;
}
