import { DescribedError } from '@user-administration/postgres/settings';
import { ExpectedError } from './contract/expected-error';

/**
 * Why a start failed. The message of an expected error says what to do. Any other error is a fault, reported with its
 * stack.
 */
export function explain(error: unknown): string {
  if (error instanceof ExpectedError || error instanceof DescribedError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
