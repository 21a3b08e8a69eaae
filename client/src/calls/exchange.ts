/** More than any answer of the service. An endless body must not fill the memory. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** An answer, read whole. */
export interface Received {
  status: number;
  headers: Headers;
  text: string;
}

/** One request and its whole answer. A redirect is an answer: following it would send the token elsewhere. */
export async function exchange(
  fetch: typeof globalThis.fetch,
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string; signal: AbortSignal },
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
