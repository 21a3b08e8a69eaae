import { type DynamicModule, type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { I18nMessagesModule } from '../i18n/i18n.module';
import { AdmissionGuard } from './admission.guard';
import { AnswerInterceptor } from './answer.interceptor';
import { Answers } from './answers';
import { ERROR_TRANSLATORS, ErrorFilter, type ErrorTranslator } from './error.filter';
import { jsonBody } from './json-body.middleware';
import { RequestsUnderWay } from './requests-under-way';
import { EVERY_PATH, RouteTable } from './route-table';
import { UnreadableRequests } from './unreadable-requests';

@Module({})
export class HttpModule implements NestModule {
  /** After the log's middleware, which is global and so comes first: a refused body has its request id and its line, too. */
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(jsonBody).forRoutes(EVERY_PATH);
  }

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
        { provide: APP_GUARD, useClass: AdmissionGuard },
        { provide: APP_INTERCEPTOR, useClass: AnswerInterceptor },
      ],
      exports: [RequestsUnderWay, RouteTable],
    };
  }
}
