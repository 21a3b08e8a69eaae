import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Once } from '../database/transactions';
import type { OnceRequest } from './idempotency.step';

/** Gives a handler of a POST what it must pass to its transaction: the idempotency key of the request, if it has one. */
export const CurrentOnce = createParamDecorator(
  (_: unknown, context: ExecutionContext): Once | undefined =>
    context.switchToHttp().getRequest<OnceRequest>().idempotency,
);
