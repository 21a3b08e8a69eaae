import type { TestService } from './test-service';

/** An answer about a record: its headers, and its body if there is one. */
export interface RecordAnswer {
  status: number;
  headers: Headers;
  body: unknown;
}

export interface RecordRequest {
  body?: unknown;
  headers?: Record<string, string>;
  /** Ada by default. */
  caller?: string;
}

/** Reads or changes a record. Text is sent unchanged, anything else as JSON. */
export async function call(
  service: TestService,
  method: string,
  path: string,
  { body, headers, caller = 'ada' }: RecordRequest = {},
): Promise<RecordAnswer> {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${service.tokenOf(caller)}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? (JSON.parse(text) as unknown) : undefined };
}
