/** Larger than any answer of the service. Bounds the memory that an endless body can take. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** An answer: complete, or with a body that is still to be read. */
export interface Received {
  status: number;
  headers: Headers;
  text: string;
  stream?: ReadableStream<Uint8Array>;
}

/**
 * Sends one request and reads its complete answer; of an answer of the type `streams`, its headers alone. Redirects are not followed: that would
 * send the token to another place.
 */
export async function exchange(
  fetch: typeof globalThis.fetch,
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    body?: string | Uint8Array<ArrayBuffer>;
    signal: AbortSignal;
  },
  streams?: string,
): Promise<Received> {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  const { status, headers, body } = response;
  if (status === 200 && streams !== undefined && headers.get('content-type')?.split(';')[0] === streams)
    return { status, headers, text: '', stream: body ?? new Blob([]).stream() };
  return { status, headers, text: await textOf(response) };
}

async function textOf(response: Response): Promise<string> {
  if (!response.body) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > MAX_ANSWER_BYTES) {
      await reader.cancel();
      throw new Error(`the answer is longer than ${MAX_ANSWER_BYTES} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}
