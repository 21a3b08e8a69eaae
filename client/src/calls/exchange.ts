/** Larger than any answer of the service. Bounds the memory that an endless body can take. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** A complete answer. */
export interface Received {
  status: number;
  headers: Headers;
  text: string;
}

/** Sends one request and reads its complete answer. Redirects are not followed: that would send the token to another place. */
export async function exchange(
  fetch: typeof globalThis.fetch,
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    body?: string | Uint8Array<ArrayBuffer>;
    signal: AbortSignal;
  },
): Promise<Received> {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await textOf(response) };
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
