import type { ExecutionContext } from '@nestjs/common';
import type { I18nResolver } from 'nestjs-i18n';
import { languageFor } from './remembered-language';

/** Gives nestjs-i18n's own decorators and context the same language as every answer (its own resolver gives `fr` for `fr;q=0`). */
export class NegotiatedLanguageResolver implements I18nResolver {
  resolve(context: ExecutionContext): string {
    const request = context.switchToHttp().getRequest<{ headers: { 'accept-language'?: string } }>();
    return languageFor(request.headers['accept-language']);
  }
}
