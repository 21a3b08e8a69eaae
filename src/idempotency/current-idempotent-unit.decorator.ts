import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { IdempotentUnit } from '../database/transactions';
import type { IdempotentRequest } from './idempotency.interceptor';

/** Passes the idempotency key of a POST, if any, to its handler, which must pass it to its transaction. */
export const CurrentIdempotentUnit = createParamDecorator(
  (_: unknown, context: ExecutionContext): IdempotentUnit | undefined =>
    context.switchToHttp().getRequest<IdempotentRequest>().idempotency,
);
