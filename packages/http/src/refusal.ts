/** What this package refuses, by code, with the HTTP status. */
export const HTTP_REFUSALS = {
  'request.malformed': 400,
  'request.too_frequent': 429,
  'query.unknown': 400,
  'field.unknown': 400,
  'body.too_large': 413,
  'body.unsupported': 415,
  'body.encoding_unsupported': 415,
  'service.unavailable': 503,
} as const;

export type HttpRefusalCode = keyof typeof HTTP_REFUSALS;

/** The details of a refusal, for its sentence and its positions in the body. */
interface Details {
  args?: Record<string, number | string>;
  errors?: { pointer: string; id?: string }[];
}

/** A refused request. The program answers it in its own form; `cause` is for its log. */
export class HttpRefusal extends Error {
  constructor(
    readonly code: HttpRefusalCode,
    readonly details: Details = {},
    options?: ErrorOptions,
  ) {
    super(code, options);
  }

  get status(): number {
    return HTTP_REFUSALS[this.code];
  }
}
