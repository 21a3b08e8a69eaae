import { type DynamicModule, Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { I18nJsonLoader, I18nModule } from 'nestjs-i18n';
import { FALLBACK_LANGUAGE, MESSAGES_FOLDER } from './languages';
import { Localizer } from './localizer';
import { NegotiatedLanguageResolver } from './negotiated-language.resolver';

/**
 * nestjs-i18n without its interceptor on every route: the error filter also answers requests that no interceptor sees,
 * so the language is passed as an argument. A route with the library's own decorators adds
 * `@UseInterceptors(I18nLanguageInterceptor)`. The library logs an error if there is no resolver.
 */
function messages(): DynamicModule {
  const module = I18nModule.forRoot({
    fallbackLanguage: FALLBACK_LANGUAGE,
    loader: I18nJsonLoader,
    loaderOptions: { path: MESSAGES_FOLDER, watch: false },
    // The library would read the values of placeholders as templates of its own (`$t(key)`), and callers send some of them.
    formatter: (template) => template,
    resolvers: [new NegotiatedLanguageResolver()],
    disableMiddleware: true,
    skipAsyncHook: true,
    logging: false,
  });
  const isInterceptor = (provider: object) => 'provide' in provider && provider.provide === APP_INTERCEPTOR;
  return { ...module, providers: module.providers?.filter((provider) => !isInterceptor(provider)) };
}

/** The sentences of `messages/<language>/`, loaded once at start, and the {@link Localizer} that translates them. */
@Module({ imports: [messages()], providers: [Localizer], exports: [Localizer] })
export class I18nMessagesModule {}
