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
