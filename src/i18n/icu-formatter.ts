import { IntlMessageFormat } from 'intl-messageformat';
import type { ErrorDetails } from '../contract/errors';
import { LANGUAGES } from './languages';

/** Compiled sentences by language, then template. Both are closed sets, so it cannot grow beyond the messages. */
const formats = new Map(LANGUAGES.map((language) => [language, new Map<string, IntlMessageFormat>()]));

/**
 * Formats a sentence in ICU MessageFormat.
 *
 * @example formatIcu('at most {max, number}', 'de', { max: 10_000 }); // 'at most 10.000'
 */
export function formatIcu(template: string, language: string, values: ErrorDetails['args']): string {
  const format = formats.get(language)?.get(template) ?? compile(template, language);
  return String(format.format(values));
}

function compile(template: string, language: string): IntlMessageFormat {
  // Every language here writes 10,000 in Latin digits. The extension says so, because the default for Arabic differs between
  // versions of Node.
  const format = new IntlMessageFormat(template, `${language}-u-nu-latn`);
  formats.get(language)?.set(template, format);
  return format;
}
