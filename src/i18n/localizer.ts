import { Injectable } from '@nestjs/common';
import { I18nService } from 'nestjs-i18n';
import type { AnswerKey } from '../contract/answers';
import type { ErrorCode, ErrorDetails } from '../contract/errors';
import { formatIcu } from './icu-formatter';
import { FALLBACK_LANGUAGE, LANGUAGES } from './languages';

/** The key of a sentence: its file and its path in the file. */
export type MessageKey = `errors.${ErrorCode}` | `answers.${AnswerKey}`;

/** The sentences of this service in its languages. */
@Injectable()
export class Localizer {
  constructor(private readonly i18n: I18nService) {}

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
    return formatIcu(sentence, lang, args);
  }
}
