import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { IdempotentUnit } from '../database/transactions';
import type { IdempotentRequest } from './idempotency.step';

/** Gives a handler of a POST what it must pass to its transaction: the idempotency key of the request, if it has one. */
export const CurrentIdempotentUnit = createParamDecorator(
  (_: unknown, context: ExecutionContext): IdempotentUnit | undefined =>
    context.switchToHttp().getRequest<IdempotentRequest>().idempotency,
);
