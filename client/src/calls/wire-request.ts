/** A call as it is sent, at each attempt the same. */
export interface WireRequest {
  /** Method and path template, as the OpenAPI document names them. */
  operation: string;
  method: Method;
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** Whether it changes anything. What does not can be sent again at will. */
  changes: boolean;
  /** For a POST that changes something. */
  idempotencyKey?: string;
  ifMatch?: string;
  /** Asked without a token. */
  public?: boolean;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** What the service answered: a success, or 304. */
export interface WireAnswer {
  kind: 'answer';
  status: number;
  headers: Headers;
  /** The parsed body; undefined where there is none. */
  body: unknown;
  requestId: string | undefined;
}
