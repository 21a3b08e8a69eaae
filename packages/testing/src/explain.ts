import { ImportError } from '../../../src/plugins/transfer/import-error';

/** What was asked for is refused, and the sentence says why. Anything else is a failure. */
export function isRefusal(error: unknown): error is Error {
  return error instanceof ImportError || error instanceof RangeError;
}

export function explain(error: unknown): string {
  if (error instanceof ImportError) return `The directory cannot be loaded. ${error.message}.`;
  if (error instanceof RangeError) return error.message;
  const { code, message = String(error) } = error as NodeJS.ErrnoException;
  return code === undefined ? message : `${message} (${code})`;
}
