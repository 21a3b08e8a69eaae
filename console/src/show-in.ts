import { reconnect } from './service.ts';
import { Store } from './ui/store.ts';
import { useLanguage } from './language/language.ts';

/** Grows with each change of the language: the whole page is then drawn anew. */
export const languageVersion = new Store(0);

export async function showIn(next: string): Promise<void> {
  await useLanguage(next, true);
  reconnect();
  languageVersion.set(languageVersion.get() + 1);
}
