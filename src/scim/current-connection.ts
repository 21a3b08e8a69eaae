import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { IdSource } from './scim-connection.entity';

/** The connection that the token of a request belongs to. */
export interface Connection {
  readonly key: string;
  readonly id: string;
  /** Never changes. */
  readonly idFrom: IdSource;
  /** The hash of the token, by which it is judged again. */
  readonly tokenHash: Buffer;
}

/** The property of the request in which `ScimGuard` stores the connection. */
export interface ConnectedRequest {
  scimConnection: Connection;
}

/** Passes the {@link Connection} of the request to a handler. */
export const CurrentConnection = createParamDecorator(
  (_: unknown, context: ExecutionContext): Connection =>
    context.switchToHttp().getRequest<ConnectedRequest>().scimConnection,
);
