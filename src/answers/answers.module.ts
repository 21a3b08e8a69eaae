import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { I18nMessagesModule } from '../i18n/i18n.module';
import { ServerModule } from '../server/server.module';
import { AnswerInterceptor } from './answer.interceptor';
import { RecordInterceptor } from './record.interceptor';
import { Answers } from './answers';
import { Envelopes, ROUTE_ENVELOPES, type RouteEnvelope } from './envelope';
import { ERROR_TRANSLATORS, ErrorFilter, type ErrorTranslator } from './error.filter';
import { UnreadableRequests } from './unreadable-requests';

@Module({})
export class AnswersModule {
  /** Registrations of the features: the translation of their failures, and the routes with a format of their own. */
  static register(translators: readonly ErrorTranslator[], envelopes: readonly RouteEnvelope[]): DynamicModule {
    return {
      module: AnswersModule,
      global: true,
      imports: [I18nMessagesModule, ServerModule],
      providers: [
        Answers,
        Envelopes,
        { provide: ROUTE_ENVELOPES, useValue: envelopes },
        UnreadableRequests,
        { provide: ERROR_TRANSLATORS, useValue: translators },
        { provide: APP_FILTER, useClass: ErrorFilter },
        AnswerInterceptor,
        RecordInterceptor,
      ],
      exports: [AnswerInterceptor, RecordInterceptor],
    };
  }
}
