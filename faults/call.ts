import { type Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  ms: number;
}

export interface CallOptions {
  /** POST if there is a body, else GET. */
  method?: string;
  body?: string;
  /** The media type of the body. */
  type?: string;
  token?: string;
  agent?: Agent;
  /** How long before it counts as a hang; 0: never. */
  withinMs?: number;
}

/** A request, as plain as can be. Rejects when the connection fails, or nothing comes back. */
export function call(
  url: string,
  {
    body,
    method = body === undefined ? 'GET' : 'POST',
    type = 'application/json',
    token,
    agent,
    withinMs = 30_000,
  }: CallOptions = {},
): Promise<Reply> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      agent,
      method,
      timeout: withinMs,
      headers: {
        ...(body !== undefined && { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
    sent.on('error', reject);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, ms: performance.now() - began });
      });
    });
    sent.end(body);
  });
}
