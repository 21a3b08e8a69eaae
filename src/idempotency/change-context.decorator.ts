import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { type Preconditions, preconditionsOf } from '../answers/etag';
import type { AuthenticatedRequest } from '../auth/caller';
import type { Attribution } from '../contract/attribution';
import type { IdempotentUnit } from '../database/transactions';
import { traceContextOf } from '../server/trace-context';
import type { IdempotentRequest } from './idempotency.interceptor';

/** How a change was requested: by whom, and under which preconditions. They hold where the path names one record. */
export interface ChangeContext extends Attribution, Preconditions {
  /** The key of the caller's record; absent for a service. */
  callerKey?: string;
  /** The idempotency key of a POST, if any. The use case must pass it to its transaction. */
  unit?: IdempotentUnit;
}

/** Passes the {@link ChangeContext} of the request to a handler. */
export const CurrentChange = createParamDecorator((_: unknown, context: ExecutionContext): ChangeContext => {
  const request = context
    .switchToHttp()
    .getRequest<Request & AuthenticatedRequest & IdempotentRequest & { id: string }>();
  const { user, id, headers, idempotency } = request;
  return {
    actor: { kind: user.kind, id: user.id },
    callerKey: user.key,
    requestId: id,
    traceparent: traceContextOf(request)?.traceparent,
    ...preconditionsOf(headers),
    unit: idempotency,
  };
});
