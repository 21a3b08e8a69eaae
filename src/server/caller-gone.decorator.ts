import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';

/** Gives a handler a signal that is aborted when the caller has closed the connection before the answer. */
export const CallerGone = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal => {
  const http = context.switchToHttp();
  const gone = new AbortController();
  http.getResponse<Response>().once('close', () => gone.abort());
  // It may have left while it was judged, before anybody listened.
  if (http.getRequest<Request>().socket.destroyed) gone.abort();
  return gone.signal;
});
