import {
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { ScimRefusal } from '@user-administration/scim-protocol';
import { catchError, type Observable } from 'rxjs';
import { CONFIG, type Config } from '../config/config';
import { ScimError } from './scim-error';
import { SCIM_PATH, SCIM_TYPE } from './scim-protocol';

export type LocatedRequest = Request & { scimBase?: string };

/**
 * Gives every answer of SCIM its media type, and its handler the address of the service as the caller knows it. What
 * the protocol refuses gets its status here.
 */
@Injectable()
export class ScimAnswerInterceptor implements NestInterceptor {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<LocatedRequest>();
    const { protocol, headers } = request;
    request.scimBase = (this.config.publicUrl || `${protocol}://${headers.host ?? 'localhost'}`) + SCIM_PATH;
    http.getResponse<Response>().setHeader('Content-Type', `${SCIM_TYPE}; charset=utf-8`);
    return next.handle().pipe(
      catchError((error: unknown) => {
        throw error instanceof ScimRefusal ? new ScimError(error.kind, error.detail) : error;
      }),
    );
  }
}

/** Passes the absolute address of SCIM to a handler, without a slash at the end: `meta.location` begins with it. */
export const ScimBase = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  String(context.switchToHttp().getRequest<LocatedRequest>().scimBase),
);
