import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { ScimRefusal } from '@user-administration/scim-protocol';
import { catchError, type Observable } from 'rxjs';
import { CONFIG, type Config } from '../door';
import { SCIM_TYPE, ScimError } from './scim-error';
import { SCIM_PATH, type ScimRequest } from './scim-request';

/** Gives each answer its media type, the request its absolute address, and refusals of the protocol their status. */
@Injectable()
export class ScimAnswerInterceptor implements NestInterceptor {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<ScimRequest>();
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
