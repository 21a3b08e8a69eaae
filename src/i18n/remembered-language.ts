import { negotiateLanguage } from './negotiate-language';

const MAX_REMEMBERED = 500;
const MAX_REMEMBERED_LENGTH = 200;

/** Browsers and programs repeat a few different headers. Callers choose them, so the cache is emptied when it is full. */
const negotiated = new Map<string, string>();

/**
 * As {@link negotiateLanguage}, with a cache for headers of ordinary length.
 *
 * @example languageFor(request.headers['accept-language']);
 */
export function languageFor(acceptLanguage = ''): string {
  const remembered = negotiated.get(acceptLanguage);
  if (remembered !== undefined) return remembered;
  const language = negotiateLanguage(acceptLanguage);
  if (acceptLanguage.length <= MAX_REMEMBERED_LENGTH) {
    if (negotiated.size === MAX_REMEMBERED) negotiated.clear();
    negotiated.set(acceptLanguage, language);
  }
  return language;
}
