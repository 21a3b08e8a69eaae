import type { ClientOptions } from '../client-options.ts';

/** The options of the client, and of what stands on it. */
export interface UserAdministrationOptions extends ClientOptions {
  activeUsers?: ActiveUserOptions;
}

export interface ActiveUserOptions {
  /** After how long without news from the service `whenSilent` applies: 3,000 or more. Default: 5,000. */
  silentAfterMs?: number;
  /** What to do then: refuse everyone with 503, or ask the service about each user. Default: `refuse`. */
  whenSilent?: 'refuse' | 'ask';
  /** How long the start of the app waits until everything is known. Default: 5,000. */
  startWithinMs?: number;
}

/** What a module can have beside its options, also where these come later. */
export interface ModuleExtras {
  /** Whether every module of the app can use the client and the guard without importing this one. Default: false. */
  isGlobal?: boolean;
  /** For apps that call more than one service: what to inject this one by. */
  name?: string;
}
