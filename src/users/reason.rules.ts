import type { Attribution } from '../contract/attribution';

/** The reason to record: the one in the body or, in the process, that of the context. */
export function reasonOf({ reason }: { reason?: string | null }, context: Attribution): string | undefined {
  return reason ?? context.reason;
}
