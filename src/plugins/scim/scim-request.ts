import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { IdSource } from './scim-connection.entity';

export const SCIM_PATH = '/scim/v2';

/** The connection that the token of a request belongs to. */
export interface Connection {
  readonly key: string;
  readonly id: string;
  /** Never changes. */
  readonly idFrom: IdSource;
  /** The hash of the token, by which the connection is judged again. */
  readonly tokenHash: Buffer;
}

/** The properties that `ScimGuard` and `ScimAnswerInterceptor` add to a request. */
export interface ScimRequest extends Request {
  scimConnection: Connection;
  /** The absolute address of SCIM, without a slash at the end: `meta.location` begins with it. */
  scimBase: string;
}

/** A request of a connection, and the response whose headers an answer sets. */
export interface Exchange {
  readonly request: ScimRequest;
  readonly response: Response;
  readonly connection: Connection;
}

/** Passes the {@link Exchange} to a handler. Nest still sends what the handler returns. */
export const CurrentExchange = createParamDecorator((_: unknown, context: ExecutionContext): Exchange => {
  const http = context.switchToHttp();
  const request = http.getRequest<ScimRequest>();
  return { request, response: http.getResponse<Response>(), connection: request.scimConnection };
});

/** Passes the body as it was sent: the schemas of SCIM read it. */
export const ScimBody = createParamDecorator(
  (_: unknown, context: ExecutionContext): unknown => context.switchToHttp().getRequest<ScimRequest>().body,
);

/** Passes {@link ScimRequest.scimBase}. */
export const ScimBase = createParamDecorator(
  (_: unknown, context: ExecutionContext): string => context.switchToHttp().getRequest<ScimRequest>().scimBase,
);
