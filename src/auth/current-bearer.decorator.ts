import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { bearerToken } from '@user-administration/http';
import type { AuthenticatedRequest, Caller } from './caller';

/** The token in the header of a request, and the caller that the guards have identified by it. */
export interface Bearer {
  readonly token: string | null;
  readonly caller: Caller;
}

/** Passes the {@link Bearer} of the request to a handler. */
export const CurrentBearer = createParamDecorator((_: unknown, context: ExecutionContext): Bearer => {
  const request = context.switchToHttp().getRequest<Request & AuthenticatedRequest>();
  return { token: bearerToken(request), caller: request.user };
});
