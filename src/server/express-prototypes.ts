import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import type { Express } from 'express';

/**
 * Makes requests and responses of this app be born with the prototypes that Express wants them to have: options of the
 * server that hands them to it.
 *
 * Express sets the prototype of each. On V8 before version 13 (Node 20 and 22) each then has a hidden class of its own, so
 * that no code which reads from it can be optimised, and an answer takes twice the CPU time. With these there is nothing to set.
 */
export function expressPrototypes(app: Express): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  app.request = ExpressRequest.prototype as Express['request'];
  app.response = ExpressResponse.prototype as unknown as Express['response'];
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}
