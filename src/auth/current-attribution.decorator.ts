import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Attribution } from '../contract/attribution';
import type { AuthenticatedRequest } from './caller';

/** Passes the attribution of the request to a handler: the actor and the request id. */
export const CurrentAttribution = createParamDecorator((_: unknown, context: ExecutionContext): Attribution => {
  const { user, id } = context.switchToHttp().getRequest<AuthenticatedRequest & { id: string }>();
  return { actor: { kind: user.kind, id: user.id }, requestId: id };
});
