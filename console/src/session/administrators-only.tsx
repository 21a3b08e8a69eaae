import type { ComponentChildren } from 'preact';
import { session } from './session.ts';

/** Whether the person changes things here, or only looks. */
export function useMayChange(): boolean {
  const state = session.use();
  return state.kind === 'signed_in' && state.me.administrator;
}

/** What changes something, for administrators alone. */
export function AdministratorsOnly({ children }: { children: ComponentChildren }) {
  return useMayChange() ? <>{children}</> : null;
}
