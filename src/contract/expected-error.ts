/**
 * An expected outcome, such as a refusal. It records no stack trace: nobody would read it, and recording one is a large
 * part of the cost of a refusal.
 */
export abstract class ExpectedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
  }
}
