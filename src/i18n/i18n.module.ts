import { type DynamicModule, Module } from '@nestjs/common';
import { I18nJsonLoader, I18nModule } from 'nestjs-i18n';
import { FALLBACK_LANGUAGE, MESSAGES_FOLDER } from './languages';
import { Localizer } from './localizer';
import { NegotiatedLanguageResolver } from './negotiate-language';
import { PluginSentences } from './plugin-sentences';

/** The sentences of `messages/<language>/`, loaded once at start, and the {@link Localizer} that translates them. */
@Module({
  imports: [
    I18nModule.forRoot({
      fallbackLanguage: FALLBACK_LANGUAGE,
      loader: I18nJsonLoader,
      loaderOptions: { path: MESSAGES_FOLDER, watch: false },
      resolvers: [new NegotiatedLanguageResolver()],
      // The library reads what its formatter returns as a template (`$t(key)`), and callers send some of the values of
      // placeholders. So it returns the sentence as it is, and `Localizer` formats it by ICU, which has plural forms.
      formatter: (template) => template,
      // `createApp` uses the middleware. Nest would mount it at a path, and Express would then misread some targets in
      // absolute form.
      disableMiddleware: true,
      // With it, a refused request takes 14 % more CPU time. `@I18n` and `@I18nLang` read the request.
      skipAsyncHook: true,
      logging: false,
    }),
  ],
})
export class I18nMessagesModule {
  /** @param folders those of the sentences of plugins */
  static register(folders: readonly string[]): DynamicModule {
    return {
      module: I18nMessagesModule,
      providers: [Localizer, { provide: PluginSentences, useValue: new PluginSentences(folders) }],
      exports: [Localizer],
    };
  }
}
