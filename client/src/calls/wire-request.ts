/** A call in its HTTP form. All attempts send the same, except for the token and the headers that a hook adds. */
export interface WireRequest {
  /** Method and path template of the OpenAPI document. */
  operation: string;
  method: Method;
  url: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  /** Whether it can change anything. A request that cannot may always be retried. */
  changes: boolean;
  /** Set for a POST that changes something. */
  idempotencyKey?: string;
  ifMatch?: string;
  /** Sent without a token. */
  public?: boolean;
  /** The media type of a success whose body the caller reads as a stream. */
  streams?: string;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A successful answer, or 304. */
export interface WireAnswer {
  kind: 'answer';
  status: number;
  headers: Headers;
  /** The parsed body, or the stream of it; undefined if there is none. */
  body: unknown;
  requestId: string | undefined;
}
