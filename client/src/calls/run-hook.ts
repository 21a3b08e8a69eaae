import type { Hooks } from '../client-options.ts';

/** Calls a hook. An error of a hook becomes a process warning, because it must not break the call. */
export function runHook(hooks: Hooks, run: (hooks: Hooks) => void): void {
  try {
    run(hooks);
  } catch (error) {
    process.emitWarning(`A hook failed: ${String(error)}`, 'UserAdministrationClient');
  }
}
