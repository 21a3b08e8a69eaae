import type { loadConfig } from './load-config';

/** All settings, read once at start, complete and frozen. `.env.example` describes each. */
export type Config = ReturnType<typeof loadConfig>;

/** The injection token of {@link Config}. */
export const CONFIG = Symbol('CONFIG');
