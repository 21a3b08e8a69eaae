import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { I18nMessagesModule } from '../i18n/i18n.module';
import { AnswerInterceptor } from './answer.interceptor';
import { ERRORS, type Refusal } from '../contract/errors';
import { Answers, ERROR_FORMS, type ErrorForm, STATUS_WORDS, type StatusWords } from './answers';
import { ERROR_TRANSLATOR, ErrorFilter, type ErrorTranslator } from './error.filter';
import { UnreadableRequests } from './unreadable-requests';

/** All refusals of an app, by code: those of the service, and of its plugins. */
export type ErrorCatalogue = Readonly<Record<string, Refusal>>;
export const ERROR_CATALOGUE = Symbol('ERROR_CATALOGUE');

/** What features and plugins declare of their answers. */
interface OwnAnswers {
  words: readonly StatusWords[];
  forms: readonly ErrorForm[];
  /** The folders of the sentences of plugins. */
  sentences: readonly string[];
  /** The refusals of plugins. */
  errors: ErrorCatalogue;
}

@Module({})
export class AnswersModule {
  /**
   * Answers know neither the database nor a feature: the app names the translation of failures, and the routes with
   * words or a form of their own, and the sentences of plugins.
   */
  static register(translator: ErrorTranslator, { words, forms, sentences, errors }: OwnAnswers): DynamicModule {
    return {
      module: AnswersModule,
      global: true,
      imports: [I18nMessagesModule.register(sentences)],
      providers: [
        Answers,
        { provide: STATUS_WORDS, useValue: words },
        { provide: ERROR_FORMS, useValue: forms },
        { provide: ERROR_CATALOGUE, useValue: { ...ERRORS, ...errors } },
        UnreadableRequests,
        { provide: ERROR_TRANSLATOR, useValue: translator },
        { provide: APP_FILTER, useClass: ErrorFilter },
        AnswerInterceptor,
      ],
      exports: [AnswerInterceptor, ERROR_CATALOGUE],
    };
  }
}
