import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Attribution } from '../contract/attribution';
import type { AuthenticatedRequest } from './caller';

/** Gives a handler what the journal is told of the request: who acts, and the request's id. */
export const CurrentAttribution = createParamDecorator((_: unknown, context: ExecutionContext): Attribution => {
  const { user, id } = context.switchToHttp().getRequest<AuthenticatedRequest & { id: string }>();
  return { actor: { kind: user.kind, id: user.id }, requestId: id };
});
