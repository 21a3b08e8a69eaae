import { Module } from '@nestjs/common';
import { I18nJsonLoader, I18nModule } from 'nestjs-i18n';
import { FALLBACK_LANGUAGE, MESSAGES_FOLDER } from './languages';
import { Localizer } from './localizer';
import { NegotiatedLanguageResolver } from './negotiated-language.resolver';

/** The sentences of `messages/<language>/`, loaded once at start, and the {@link Localizer} that says them. */
@Module({
  imports: [
    I18nModule.forRoot({
      fallbackLanguage: FALLBACK_LANGUAGE,
      loader: I18nJsonLoader,
      loaderOptions: { path: MESSAGES_FOLDER, watch: false },
      resolvers: [new NegotiatedLanguageResolver()],
      // The error filter answers what no interceptor sees, so the language travels by argument: no AsyncLocalStorage.
      disableMiddleware: true,
      skipAsyncHook: true,
      logging: false,
    }),
  ],
  providers: [Localizer],
  exports: [Localizer],
})
export class I18nMessagesModule {}
