import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { I18nMessagesModule } from '../i18n/i18n.module';
import { AnswerInterceptor } from './answer.interceptor';
import { Answers, ERROR_FORMS, type ErrorForm, STATUS_WORDS, type StatusWords } from './answers';
import { ERROR_TRANSLATOR, ErrorFilter, type ErrorTranslator } from './error.filter';
import { UnreadableRequests } from './unreadable-requests';

@Module({})
export class AnswersModule {
  /**
   * Answers know neither the database nor a feature: the app names the translation of failures, and the routes with
   * words or a form of their own.
   */
  static register(
    translator: ErrorTranslator,
    words: readonly StatusWords[],
    forms: readonly ErrorForm[],
  ): DynamicModule {
    return {
      module: AnswersModule,
      global: true,
      imports: [I18nMessagesModule],
      providers: [
        Answers,
        { provide: STATUS_WORDS, useValue: words },
        { provide: ERROR_FORMS, useValue: forms },
        UnreadableRequests,
        { provide: ERROR_TRANSLATOR, useValue: translator },
        { provide: APP_FILTER, useClass: ErrorFilter },
        AnswerInterceptor,
      ],
      exports: [AnswerInterceptor],
    };
  }
}
