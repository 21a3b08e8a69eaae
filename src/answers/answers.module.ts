import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { I18nMessagesModule } from '../i18n/i18n.module';
import { AnswerInterceptor } from './answer.interceptor';
import { RecordInterceptor } from './record.interceptor';
import { Answers } from './answers';
import { Envelopes, type RouteEnvelope } from './envelope';
import { ERROR_TRANSLATOR, ErrorFilter, type ErrorTranslator } from './error.filter';
import { UnreadableRequests } from './unreadable-requests';

@Module({})
export class AnswersModule {
  /** Answers know neither the database nor a feature: the app names the translation of failures, and the routes with a format of their own. */
  static register(translator: ErrorTranslator, envelopes: readonly RouteEnvelope[]): DynamicModule {
    return {
      module: AnswersModule,
      global: true,
      imports: [I18nMessagesModule],
      providers: [
        Answers,
        { provide: Envelopes, useValue: new Envelopes(envelopes) },
        UnreadableRequests,
        { provide: ERROR_TRANSLATOR, useValue: translator },
        { provide: APP_FILTER, useClass: ErrorFilter },
        AnswerInterceptor,
        RecordInterceptor,
      ],
      exports: [AnswerInterceptor, RecordInterceptor],
    };
  }
}
