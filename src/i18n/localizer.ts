import { Injectable } from '@nestjs/common';
import { IntlMessageFormat } from 'intl-messageformat';
import { I18nService } from 'nestjs-i18n';
import type { ErrorDetails } from '../contract/errors';
import { FALLBACK_LANGUAGE, LANGUAGES } from './languages';
import { PluginSentences, type Sentence, type SentenceKind } from './plugin-sentences';

/** The sentences of this service in its languages, in ICU MessageFormat. */
@Injectable()
export class Localizer {
  /** Compiled sentences by language, then template. Both are closed sets, so it cannot grow beyond the messages. */
  private readonly formats = new Map(LANGUAGES.map((language) => [language, new Map<string, IntlMessageFormat>()]));

  constructor(
    private readonly i18n: I18nService,
    private readonly ofPlugins: PluginSentences,
  ) {}

  /**
   * The sentence of an error or of a success, of the service or of a plugin, and the language that it is in. An
   * unsupported language gets English. A sentence without its arguments is a programming error and throws.
   *
   * @example localizer.sentence('errors', 'user.invalid', 'de').text;
   * @example localizer.sentence('errors', 'request.too_many_users', 'de', { max: 10_000 });
   */
  sentence(kind: SentenceKind, key: string, asked: string, args?: ErrorDetails['args']): Sentence {
    const lang = LANGUAGES.includes(asked) ? asked : FALLBACK_LANGUAGE;
    const own: unknown = this.i18n.translate(`${kind}.${key}`, { lang });
    const isOwn = typeof own === 'string' && own !== `${kind}.${key}`;
    const found = isOwn ? { text: own, language: lang } : this.ofPlugins.of(kind, key, lang);
    if (!found) throw new Error(`There is no sentence "${kind}.${key}" in ${lang}.`);
    const { text, language } = found;
    const format = this.formats.get(language)?.get(text) ?? this.compile(text, language);
    return { text: String(format.format(args)), language };
  }

  private compile(sentence: string, language: string): IntlMessageFormat {
    // Every language here writes 10,000 in Latin digits. The extension says so, because the default for Arabic differs
    // between versions of Node.
    const format = new IntlMessageFormat(sentence, `${language}-u-nu-latn`);
    this.formats.get(language)?.set(sentence, format);
    return format;
  }
}
