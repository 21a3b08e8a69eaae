import { Module } from '@nestjs/common';
import { IdempotencyStep } from './idempotency.step';
import { KeyedRequests } from './keyed-requests';
import { SealedAnswers } from './sealed-answers';

@Module({
  providers: [KeyedRequests, SealedAnswers, IdempotencyStep],
  exports: [IdempotencyStep],
})
export class IdempotencyModule {}
