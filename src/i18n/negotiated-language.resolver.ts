import type { ExecutionContext } from '@nestjs/common';
import type { I18nResolver } from 'nestjs-i18n';
import { negotiateLanguage } from './negotiate-language';

/** Makes nestjs-i18n's decorators and context use the language of the answer (the library's resolver returns `fr` for `fr;q=0`). */
export class NegotiatedLanguageResolver implements I18nResolver {
  resolve(context: ExecutionContext): string {
    const request = context.switchToHttp().getRequest<{ headers: { 'accept-language'?: string } }>();
    return negotiateLanguage(request.headers['accept-language']);
  }
}
