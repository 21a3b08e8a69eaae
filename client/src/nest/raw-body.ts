import type { IncomingMessage } from 'node:http';
import { PayloadTooLargeException } from '@nestjs/common';

/** Far more than an event has. */
const MAX_BYTES = 4 * 1024 * 1024;

interface BodyRequest extends IncomingMessage {
  /** Kept by Nest where the app was created with `{ rawBody: true }` and the body was parsed. */
  rawBody?: Buffer;
}

/**
 * The body of a request as it came. Events are `application/cloudevents+json`, which Express leaves unread unless it was told to
 * parse it: so it is read here, and on no other route.
 */
export async function rawBody(request: BodyRequest): Promise<Buffer> {
  if (request.rawBody) return request.rawBody;
  if (request.readableDidRead) {
    // Nest writes this into the log, and answers 500 without it.
    throw new Error('A body was parsed before its signature could be verified. Create the app with { rawBody: true }.');
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
