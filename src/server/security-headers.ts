import type { Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';

/**
 * Helmet with its defaults, and `no-store`: answers hold tokens, secrets and what only administrators may read. The headers are the
 * same on every answer, so they are worked out once.
 */
export function securityHeaders(): RequestHandler {
  const headers = new Map<string, string>();
  const answer = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: () => undefined,
  };
  headers.set('Cache-Control', 'no-store');
  helmet()({} as Request, answer as unknown as Response, () => undefined);
  return (_request, response, next) => {
    headers.forEach((value, name) => response.setHeader(name, value));
    next();
  };
}
