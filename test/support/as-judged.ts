import type { Judged } from '../../src/auth/judge-caller';
import type { Attribution } from '../../src/contract/attribution';

/** Anybody, as the journal takes them, for tests in which nobody judges. */
export function asJudged(attribution: Attribution): Judged {
  return attribution as Judged;
}
