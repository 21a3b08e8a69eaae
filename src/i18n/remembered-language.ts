import { negotiateLanguage } from './negotiate-language';

const MAX_REMEMBERED = 500;
const MAX_REMEMBERED_LENGTH = 200;

/** Browsers and programs send few different headers, over and over. Callers choose them, so it is emptied when it is full. */
const negotiated = new Map<string, string>();

/**
 * As {@link negotiateLanguage}, which is asked once for each header that is short enough to be an ordinary one.
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
