import { Injectable } from '@nestjs/common';
import { IntlMessageFormat } from 'intl-messageformat';
import { I18nService } from 'nestjs-i18n';
import type { AnswerKey } from '../contract/answers';
import type { ErrorCode, ErrorDetails } from '../contract/errors';
import { FALLBACK_LANGUAGE, LANGUAGES } from './languages';
import { languageFor } from './remembered-language';

/** The name of a sentence: its file and its path in there. */
export type MessageKey = `errors.${ErrorCode}` | `answers.${AnswerKey}`;

/** The sentences of this service in the language of the caller. */
@Injectable()
export class Localizer {
  /** Compiled sentences by language, then key. Both are closed sets, so it cannot grow beyond the catalogue. */
  private readonly formats = new Map(LANGUAGES.map((language) => [language, new Map<MessageKey, IntlMessageFormat>()]));

  constructor(private readonly i18n: I18nService) {}

  /**
   * The language to answer in, for the caller's `Accept-Language` header.
   *
   * @example localizer.language(request.headers['accept-language']);
   */
  language(acceptLanguage?: string): string {
    return languageFor(acceptLanguage);
  }

  /**
   * One sentence. A language that is not spoken here gets English; a sentence without its arguments is a mistake of ours
   * and throws.
   *
   * @example localizer.translate('errors.user.invalid', 'de'); // 'Bitte wählen Sie einen gültigen Benutzer aus.'
   * @example localizer.translate('errors.request.too_many_users', 'de', { max: 10_000 });
   */
  translate(key: MessageKey, language: string, args?: ErrorDetails['args']): string {
    const spoken = this.formats.has(language) ? language : FALLBACK_LANGUAGE;
    const format = this.formats.get(spoken)?.get(key) ?? this.compile(key, spoken);
    return String(format.format(args));
  }

  private compile(key: MessageKey, language: string): IntlMessageFormat {
    const template: unknown = this.i18n.translate(key, { lang: language });
    if (typeof template !== 'string' || template === key) {
      throw new Error(`There is no sentence "${key}" in ${language}.`);
    }
    // Every language here writes 10,000 in Latin digits; said aloud, because the default for Arabic differs between
    // versions of Node.
    const format = new IntlMessageFormat(template, `${language}-u-nu-latn`);
    this.formats.get(language)?.set(key, format);
    return format;
  }
}
