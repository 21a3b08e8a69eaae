import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Preconditions } from '../answers/etag';
import type { Attribution } from '../contract/attribution';
import type { IdempotentUnit } from '@user-administration/postgres';
import { traceContextOf } from '@user-administration/http';
import { knownParameters } from '../server/validated.decorators';
import type { AuthenticatedRequest } from './caller';

/** How a change was requested: by whom, and under which preconditions. They hold where the path names one record. */
export interface ChangeContext extends Attribution, Preconditions {
  /** The key of the caller's record; absent for callers that are no users. */
  callerKey?: string;
  /** The idempotency key of a POST, if any. The use case must pass it to its transaction. */
  unit?: IdempotentUnit;
}

/** With the reason in the body, if it has one, and else with that of the query or, in the process, of the caller. */
export function withReason(context: ChangeContext, { reason }: { reason?: string | null }): ChangeContext {
  return { ...context, reason: reason ?? context.reason };
}

/** The property of the request in which `IdempotencyInterceptor` stores the key for the handler. */
export interface IdempotentRequest {
  idempotency?: IdempotentUnit;
}

/**
 * Passes the {@link ChangeContext} of the request to a handler. Its reason is that of the query, if the route has this
 * parameter: a handler also declares the query, whose rule refuses any other.
 */
export const CurrentChange = createParamDecorator((_: unknown, context: ExecutionContext): ChangeContext => {
  const request = context
    .switchToHttp()
    .getRequest<Request & AuthenticatedRequest & IdempotentRequest & { id: string; query: { reason?: string } }>();
  const { user, id, headers, idempotency, query } = request;
  return {
    actor: { kind: user.kind, id: user.id },
    callerKey: user.key,
    ...(query.reason !== undefined && knownParameters(context.getHandler()).has('reason') && { reason: query.reason }),
    requestId: id,
    traceparent: traceContextOf(request)?.traceparent,
    ifMatch: headers['if-match'],
    ifNoneMatch: headers['if-none-match'],
    unit: idempotency,
  };
});
