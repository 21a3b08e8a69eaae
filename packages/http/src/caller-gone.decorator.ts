import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';

/** Passes a signal to a handler that is aborted when the caller closes the connection before the response. */
export const CallerGone = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal => {
  const http = context.switchToHttp();
  const gone = new AbortController();
  http.getResponse<Response>().once('close', () => gone.abort());
  // The caller may have disconnected before this listener was added.
  if (http.getRequest<Request>().socket.destroyed) gone.abort();
  return gone.signal;
});
