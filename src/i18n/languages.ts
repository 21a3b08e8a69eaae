import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** One folder for each language, next to this file in both `src` and `dist`. */
export const MESSAGES_FOLDER = join(__dirname, 'messages');

/** The language for callers who name no supported language. */
export const FALLBACK_LANGUAGE = 'en';

/**
 * The supported languages: the names of the folders, so adding a folder adds a language. Each is a canonical BCP 47
 * tag, because it is sent as `Content-Language` and passed to `Intl`.
 *
 * @example LANGUAGES.includes('pt-BR'); // true
 */
export const LANGUAGES: readonly string[] = findLanguages(MESSAGES_FOLDER);

export function findLanguages(folder: string): readonly string[] {
  const languages = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  for (const language of languages) {
    const canonical = canonicalTag(language);
    if (canonical !== language) {
      throw new Error(
        `The folder of messages "${language}" must be named by a canonical BCP 47 tag: ${canonical ?? 'this is not a tag'}.`,
      );
    }
  }
  if (!languages.includes(FALLBACK_LANGUAGE)) {
    throw new Error(`The messages of the fallback language "${FALLBACK_LANGUAGE}" are missing in ${folder}.`);
  }
  return Object.freeze(languages);
}

function canonicalTag(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}
