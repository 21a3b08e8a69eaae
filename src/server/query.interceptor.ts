import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { ServiceError } from '../contract/errors';
import { parseQuery } from './parse-query';
import { pathOf } from './request-path';
import { shownName } from './shown-name';
import { knownParameters } from './validated.decorators';

/**
 * Refuses a query that cannot be read, and any parameter that the route does not have: if it were ignored, a misspelt filter would not
 * filter, and a misspelt dry run would make the change. It runs after the guards and before the body is read.
 */
export class QueryInterceptor implements NestInterceptor {
  /** @param prefix the beginning of the paths whose queries are judged */
  constructor(private readonly prefix: string) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const begin = request.url.indexOf('?') + 1;
    if (begin > 0 && pathOf(request).startsWith(this.prefix)) {
      refuseUnknown(request.url.slice(begin), knownParameters(context.getHandler()));
    }
    return next.handle();
  }
}

/** @throws ServiceError `request.malformed` or `query.unknown`, for the first unknown name in the order of the query */
function refuseUnknown(query: string, known: ReadonlySet<string>): void {
  if (!isReadable(query)) throw new ServiceError('request.malformed');
  // One at a time: an object would have names that are numbers first.
  for (const parameter of query.split('&')) {
    const [name] = Object.keys(parseQuery(parameter));
    if (name !== undefined && !known.has(name)) {
      throw new ServiceError('query.unknown', { args: { name: shownName(name) } });
    }
  }
}

/** RFC 3986 sections 2.1 and 2.5: its percent-encoding is that of UTF-8. Otherwise it would be read as other text. Node refuses other bytes. */
function isReadable(query: string): boolean {
  try {
    return typeof decodeURIComponent(query) === 'string';
  } catch {
    return false;
  }
}
