import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { I18nMessagesModule } from '../i18n/i18n.module';
import { IdempotencyInterceptor } from './idempotency.interceptor';
import { KeyedRequests } from './keyed-requests';
import { SealedAnswers } from './sealed-answers';

/** Stands after `HttpModule`, whose interceptor makes the sentence of what this one's gives back. */
@Module({
  imports: [I18nMessagesModule],
  providers: [KeyedRequests, SealedAnswers, { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor }],
})
export class IdempotencyModule {}
