/** A failure that an operator can end: its message says what is wrong, and what to do. */
export abstract class DescribedError extends Error {}
