import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { ServiceError } from '../contract/errors';
import { isSpellingOf } from './query-names';

export const HasDryRun = Reflector.createDecorator<object>();

/** Methods that change nothing. */
const READS = ['GET', 'HEAD'];

/**
 * Refuses the parameter `dryRun` on routes that change something and have no dry run. Other unknown parameters are ignored; with
 * this one ignored, a caller who only wanted to look would make the change.
 */
@Injectable()
export class DryRunInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    // Express parses the query anew at each look.
    const isChange = !READS.includes(request.method);
    if (isChange && request.url.includes('?') && !this.reflector.get(HasDryRun, context.getHandler())) {
      const names = Object.keys(request.query);
      if (names.some((name) => isSpellingOf('dryRun', name)))
        throw new ServiceError('query.invalid', { args: { name: 'dryRun' } });
    }
    return next.handle();
  }
}
