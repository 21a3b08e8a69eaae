import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { I18nMessagesModule } from '../i18n/i18n.module';
import { AdmissionGuard } from './admission.guard';
import { AnswerStep } from './answer.step';
import { Answers } from './answers';
import { ERROR_TRANSLATORS, ErrorFilter, type ErrorTranslator } from './error.filter';
import { JsonBodyStep } from './json-body.step';
import { RequestsUnderWay } from './requests-under-way';
import { RouteTable } from './route-table';
import { UnreadableRequests } from './unreadable-requests';

@Module({})
export class HttpModule {
  static register(translators: readonly ErrorTranslator[]): DynamicModule {
    return {
      module: HttpModule,
      global: true,
      imports: [I18nMessagesModule],
      providers: [
        Answers,
        RouteTable,
        RequestsUnderWay,
        UnreadableRequests,
        { provide: ERROR_TRANSLATORS, useValue: translators },
        { provide: APP_FILTER, useClass: ErrorFilter },
        AdmissionGuard,
        { provide: APP_GUARD, useExisting: AdmissionGuard },
        JsonBodyStep,
        AnswerStep,
      ],
      exports: [RequestsUnderWay, RouteTable, JsonBodyStep, AnswerStep],
    };
  }
}
