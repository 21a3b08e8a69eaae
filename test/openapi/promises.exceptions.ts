import type { Exceptions } from './promises';

/** Incompatible changes that were decided on, each as the test names it, with the reason. */
export const EXCEPTIONS: Exceptions = {};
