import type { Hooks } from '../client-options.ts';

/** Calls a hook, which must not break what it watches. */
export function tellHook(hooks: Hooks, tell: (hooks: Hooks) => void): void {
  try {
    tell(hooks);
  } catch (error) {
    process.emitWarning(`A hook failed: ${String(error)}`, 'UserAdministrationClient');
  }
}
