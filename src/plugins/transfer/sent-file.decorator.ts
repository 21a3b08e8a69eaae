import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { SentFile } from './import-request.service';

/** Passes the body of a route that takes a file to the handler. */
export const CurrentFile = createParamDecorator((_: unknown, context: ExecutionContext): SentFile => {
  const { body, headers } = context.switchToHttp().getRequest<Request>();
  return { bytes: body as Buffer, format: /^text\/csv/i.test(headers['content-type'] ?? '') ? 'csv' : 'ndjson' };
});
