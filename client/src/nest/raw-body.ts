import type { IncomingMessage } from 'node:http';
import { PayloadTooLargeException } from '@nestjs/common';

/** Room for the deletion of a user with 400,000 memberships: that event lists all of them. Other events are much smaller. */
const MAX_BYTES = 16 * 1024 * 1024;

interface BodyRequest extends IncomingMessage {
  /** Set by Nest if the app was created with `{ rawBody: true }` and a parser has read the body. */
  rawBody?: Buffer;
}

/**
 * The unmodified body of a request. Events have the type `application/cloudevents+json`. Express does not parse it by default, so this
 * function reads it, on this route only.
 */
export async function rawBody(request: BodyRequest): Promise<Buffer> {
  if (request.rawBody) return request.rawBody;
  if (request.readableDidRead) {
    // Nest logs this message, and answers 500 without it.
    throw new Error('The body was parsed before its signature was verified. Create the app with { rawBody: true }.');
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new PayloadTooLargeException();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
