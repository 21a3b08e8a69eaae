import type { Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';

/**
 * Helmet's defaults, and `no-store`: answers contain tokens, secrets and data for administrators. They are the same for
 * all answers, also for those that are written to a socket without a response object.
 */
export const SECURITY_HEADERS: Map<string, string> = headersOfHelmet();

function headersOfHelmet(): Map<string, string> {
  const headers = new Map([['Cache-Control', 'no-store']]);
  const response = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: () => undefined,
  };
  // The hosts below this one may belong to others.
  helmet({ strictTransportSecurity: { includeSubDomains: false } })(
    {} as Request,
    response as unknown as Response,
    () => undefined,
  );
  return headers;
}

export const securityHeaders: RequestHandler = (_request, response, next) => {
  response.setHeaders(SECURITY_HEADERS);
  next();
};
