import type { IncomingMessage } from 'node:http';

interface BodyRequest extends IncomingMessage {
  /** Set by Nest if the app was created with `{ rawBody: true }` and a parser has read the body. */
  rawBody?: Buffer;
}

/**
 * The unmodified body of a request, or the request whose body is still to be read. Events have the type `application/cloudevents+json`.
 * Express does not parse it by default.
 */
export function rawBody(request: BodyRequest): Buffer | IncomingMessage {
  if (request.rawBody) return request.rawBody;
  // Of a request of Fastify, which is no stream, this is undefined: its body has always been parsed.
  if (request.readableDidRead === false) return request;
  // Nest logs this message, and answers 500 without it.
  throw new Error('The body was parsed before its signature was verified. Create the app with { rawBody: true }.');
}
