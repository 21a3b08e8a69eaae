import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { I18nMessagesModule } from '../i18n/i18n.module';
import { ServerModule } from '../server/server.module';
import { AnswerStep } from './answer.step';
import { Answers } from './answers';
import { ERROR_TRANSLATORS, ErrorFilter, type ErrorTranslator } from './error.filter';
import { UnreadableRequests } from './unreadable-requests';

@Module({})
export class AnswersModule {
  static register(translators: readonly ErrorTranslator[]): DynamicModule {
    return {
      module: AnswersModule,
      global: true,
      imports: [I18nMessagesModule, ServerModule],
      providers: [
        Answers,
        UnreadableRequests,
        { provide: ERROR_TRANSLATORS, useValue: translators },
        { provide: APP_FILTER, useClass: ErrorFilter },
        AnswerStep,
      ],
      exports: [AnswerStep],
    };
  }
}
