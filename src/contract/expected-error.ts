/**
 * An outcome that the service expects and tells in words, such as a refusal. It has no stack: nobody would read it, and to take
 * one is a good part of what it costs to refuse.
 */
export abstract class ExpectedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
  }
}
