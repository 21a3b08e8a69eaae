import type { Preferences } from '../server/preferences';

/** The caller's options for an operation on many users. */
export interface BulkOptions extends Omit<Preferences, 'strict'> {
  /** Run the change, return what it changed, and roll it back. */
  readonly dryRun: boolean;
}

/** All or nothing, answered with a sentence. */
export const DEFAULT_OPTIONS: BulkOptions = { dryRun: false, representation: false, lenient: false };

/** Whether the answer has a result: the changes, and what was skipped. */
export function wantsResult({ dryRun, representation, lenient }: BulkOptions): boolean {
  return dryRun || representation || lenient;
}
