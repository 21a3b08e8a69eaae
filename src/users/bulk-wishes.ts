import type { Preferences } from '../server/preferences';

/** How a caller wants an operation on many users to be done. */
export interface BulkWishes extends Preferences {
  /** Do it, tell what changed, and undo it. */
  readonly dryRun: boolean;
}

/** All or nothing, with a sentence for an answer. */
export const PLAIN: BulkWishes = { dryRun: false, representation: false, lenient: false };

/** Whether the answer has a result: to tell what was done, or what was left out. */
export function wantsResult({ dryRun, representation, lenient }: BulkWishes): boolean {
  return dryRun || representation || lenient;
}
