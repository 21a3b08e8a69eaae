import type { Hooks } from '../client-options.ts';
import { warn } from './warn.ts';

/** Calls a hook. An error of a hook becomes a warning, because it must not break the call. */
export function runHook(hooks: Hooks, run: (hooks: Hooks) => unknown): void {
  try {
    // A hook can be an async function: TypeScript accepts it, and nobody else would handle its rejection.
    Promise.resolve(run(hooks)).catch(warnOf);
  } catch (error) {
    warnOf(error);
  }
}

function warnOf(error: unknown): void {
  warn(`A hook failed: ${String(error)}`);
}
