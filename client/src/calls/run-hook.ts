import type { Hooks } from '../client-options.ts';

/** Calls a hook. An error of a hook becomes a process warning, because it must not break the call. */
export function runHook(hooks: Hooks, run: (hooks: Hooks) => unknown): void {
  try {
    // A hook can be an async function: TypeScript accepts it, and nobody else would handle its rejection.
    Promise.resolve(run(hooks)).catch(warn);
  } catch (error) {
    warn(error);
  }
}

function warn(error: unknown): void {
  process.emitWarning(`A hook failed: ${String(error)}`, 'UserAdministrationClient');
}
