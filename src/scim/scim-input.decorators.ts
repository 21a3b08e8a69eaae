import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { ScimQuery } from './list-page';

/**
 * Pass the body and the query to a handler as they were sent: the schemas of SCIM read the one, and unknown parameters
 * are ignored.
 */
export const ScimBody = createParamDecorator(
  (_: unknown, context: ExecutionContext): unknown => context.switchToHttp().getRequest<Request>().body,
);
export const ScimParameters = createParamDecorator(
  (_: unknown, context: ExecutionContext): ScimQuery => context.switchToHttp().getRequest<Request>().query,
);
