import { Module } from '@nestjs/common';
import { I18nMessagesModule } from '../i18n/i18n.module';
import { IdempotencyStep } from './idempotency.step';
import { KeyedRequests } from './keyed-requests';
import { SealedAnswers } from './sealed-answers';

@Module({
  imports: [I18nMessagesModule],
  providers: [KeyedRequests, SealedAnswers, IdempotencyStep],
  exports: [IdempotencyStep],
})
export class IdempotencyModule {}
