import { IntlMessageFormat } from 'intl-messageformat';
import type { Formatter } from 'nestjs-i18n';
import { LANGUAGES } from './languages';

/** Compiled sentences by language, then template. Both are closed sets, so it cannot grow beyond the messages. */
const formats = new Map(LANGUAGES.map((language) => [language, new Map<string, IntlMessageFormat>()]));

/**
 * The formatter of nestjs-i18n for ICU MessageFormat. The library does not tell a formatter which language it formats, so the arguments
 * of every translation name it.
 *
 * @example i18n.translate('errors.request.too_many_users', { lang: 'de', args: { max: 10_000, lang: 'de' } });
 */
export const formatIcu: Formatter = (template, args) => {
  const { lang, ...values } = args as Record<string, string> & { lang: string };
  const format = formats.get(lang)?.get(template) ?? compile(template, lang);
  return String(format.format(values));
};

function compile(template: string, language: string): IntlMessageFormat {
  // Every language here writes 10,000 in Latin digits. The extension says so, because the default for Arabic differs between
  // versions of Node.
  const format = new IntlMessageFormat(template, `${language}-u-nu-latn`);
  formats.get(language)?.set(template, format);
  return format;
}
