/**
 * An expected outcome, such as a refusal. It records no stack trace: nobody would read it, and recording one takes a
 * tenth of the CPU time of a refusal.
 */
export abstract class ExpectedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * Why a start failed. The message of an expected error says what to do. Any other error is a fault, reported with its
 * stack.
 */
export function explain(error: unknown): string {
  if (error instanceof ExpectedError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
