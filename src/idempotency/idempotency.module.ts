import { Module } from '@nestjs/common';
import { IdempotencyInterceptor } from './idempotency.interceptor';
import { KeyedRequests } from './keyed-requests';
import { SealedAnswers } from './sealed-answers';

@Module({
  providers: [KeyedRequests, SealedAnswers, IdempotencyInterceptor],
  exports: [IdempotencyInterceptor],
})
export class IdempotencyModule {}
