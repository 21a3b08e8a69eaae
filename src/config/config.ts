import type { readConfig } from './read-config';

/** All settings, read once at start, complete and frozen. `.env.example` describes each. */
export type Config = ReturnType<typeof readConfig>;

/** The injection token of {@link Config}. */
export const CONFIG = Symbol('CONFIG');
