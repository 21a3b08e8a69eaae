import { Injectable } from '@nestjs/common';
import { IntlMessageFormat } from 'intl-messageformat';
import { I18nService } from 'nestjs-i18n';
import type { AnswerKey } from '../contract/answers';
import { type ErrorCode, type ErrorDetails, ERRORS } from '../contract/errors';
import { FALLBACK_LANGUAGE, LANGUAGES } from './languages';
import { PluginSentences, type Sentence } from './plugin-sentences';

/** The key of a sentence: its file and its path in the file. */
export type MessageKey = `errors.${ErrorCode}` | `answers.${AnswerKey}`;

/** The sentences of this service in its languages, in ICU MessageFormat. */
@Injectable()
export class Localizer {
  /** Compiled sentences by language, then template. Both are closed sets, so it cannot grow beyond the messages. */
  private readonly formats = new Map(LANGUAGES.map((language) => [language, new Map<string, IntlMessageFormat>()]));

  constructor(
    private readonly i18n: I18nService,
    private readonly ofPlugins: PluginSentences,
  ) {}

  /** The sentence of an error, of the service or of a plugin, and the language that it is in. */
  error(code: string, language: string, args?: ErrorDetails['args']): Sentence {
    const own = code in ERRORS ? undefined : this.ofPlugins.of(code, language);
    if (!own) return { text: this.translate(`errors.${code as ErrorCode}`, language, args), language };
    const format = this.formats.get(own.language)?.get(own.text) ?? this.compile(own.text, own.language);
    return { text: String(format.format(args)), language: own.language };
  }

  /**
   * Translates one sentence. An unsupported language gets English. A sentence without its arguments is a programming
   * error and throws.
   *
   * @example localizer.translate('errors.user.invalid', 'de'); // 'Bitte wählen Sie einen gültigen Benutzer aus.'
   * @example localizer.translate('errors.request.too_many_users', 'de', { max: 10_000 });
   */
  translate(key: MessageKey, language: string, args?: ErrorDetails['args']): string {
    const lang = LANGUAGES.includes(language) ? language : FALLBACK_LANGUAGE;
    const sentence: unknown = this.i18n.translate(key, { lang });
    if (typeof sentence !== 'string' || sentence === key) throw new Error(`There is no sentence "${key}" in ${lang}.`);
    const format = this.formats.get(lang)?.get(sentence) ?? this.compile(sentence, lang);
    return String(format.format(args));
  }

  private compile(sentence: string, language: string): IntlMessageFormat {
    // Every language here writes 10,000 in Latin digits. The extension says so, because the default for Arabic differs
    // between versions of Node.
    const format = new IntlMessageFormat(sentence, `${language}-u-nu-latn`);
    this.formats.get(language)?.set(sentence, format);
    return format;
  }
}
