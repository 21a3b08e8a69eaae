/** What a process needs before its app: its log, and the shape of its settings. It loads no Nest. */
export { createLogger } from './create-logger';
export { logProcessEvents } from './log-process-events';
export { standardOutput } from './standard-output';
export type { FairUse, HttpBounds } from './options';
