import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** One folder for each language, next to this file in both `src` and `dist`. */
export const MESSAGES_FOLDER = join(__dirname, 'messages');

/** The language for callers who name no supported language. */
export const FALLBACK_LANGUAGE = 'en';

/**
 * The supported languages: the names of the folders, so adding a folder adds a language. Each is a canonical BCP 47
 * tag, because it is sent as `Content-Language` and passed to `Intl`; a test checks the names.
 *
 * @example LANGUAGES.includes('pt-BR'); // true
 */
export const LANGUAGES: readonly string[] = readdirSync(MESSAGES_FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort();
