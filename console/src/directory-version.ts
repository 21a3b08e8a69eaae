import { Store } from './ui/store.ts';

/** Grows whenever this page has changed the directory. Everything that `useLoaded` shows is then loaded again. */
export const directoryVersion = new Store(0);

export function directoryChanged(): void {
  directoryVersion.set(directoryVersion.get() + 1);
}
