import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { AuthenticatedRequest } from '../auth/caller';
import type { Attribution } from '../contract/attribution';
import type { IdempotentUnit } from '../database/transactions';
import { traceContextOf } from '../server/trace-context';
import type { IdempotentRequest } from './idempotency.interceptor';

/** How a change was requested: by whom, and under which conditions. */
export interface ChangeContext extends Attribution {
  /** The header `If-Match`, for `requireMatch`. */
  ifMatch?: string;
  /** The idempotency key of a POST, if any. The use case must pass it to its transaction. */
  unit?: IdempotentUnit;
}

/** Passes the {@link ChangeContext} of the request to a handler. */
export const CurrentChange = createParamDecorator((_: unknown, context: ExecutionContext): ChangeContext => {
  const request = context
    .switchToHttp()
    .getRequest<Request & AuthenticatedRequest & IdempotentRequest & { id: string }>();
  const { user, id, headers, idempotency } = request;
  const traceparent = traceContextOf(request)?.traceparent;
  const actor = { kind: user.kind, id: user.id };
  return { actor, requestId: id, traceparent, ifMatch: headers['if-match'], unit: idempotency };
});
