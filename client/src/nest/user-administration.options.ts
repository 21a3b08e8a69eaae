import type { ClientOptions } from '../client-options.ts';

/** The options of `UserAdministrationModule`: those of the client, and of `ActiveUserGuard`. */
export interface UserAdministrationOptions extends ClientOptions {
  activeUsers?: ActiveUserOptions;
}

/** The options of `ActiveUserGuard`. */
export interface ActiveUserOptions {
  /** Milliseconds without an answer of the service after which `whenSilent` applies. At least 3,000. Default: 5,000. */
  silentAfterMs?: number;
  /** `refuse` answers 503 to every user; `ask` asks the service about each user. Default: `refuse`. */
  whenSilent?: 'refuse' | 'ask';
  /** Milliseconds that the start of the app waits at most for the first load. Default: 5,000. */
  startWithinMs?: number;
}

/** Options that `forRoot` and `forRootAsync` take beside those of the client. */
export interface ModuleExtras {
  /** Whether all modules of the app can use the client and the guard without importing this module. Default: false. */
  isGlobal?: boolean;
  /** The name to inject this client by, in an app that calls more than one service. */
  name?: string;
}
