import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { bearerToken } from './bearer-token';
import type { AuthenticatedRequest, Caller } from './caller';

/** The token in the header of a request, and the caller whom the guards have identified by it. */
export interface Bearer {
  readonly token: string | null;
  readonly caller: Caller;
}

/** Gives a handler the {@link Bearer} of the request. */
export const CurrentBearer = createParamDecorator((_: unknown, context: ExecutionContext): Bearer => {
  const request = context.switchToHttp().getRequest<Request & AuthenticatedRequest>();
  return { token: bearerToken(request), caller: request.user };
});
