/** What this package refuses. The program knows the status and the sentence of each code. */
export type HttpRefusalCode =
  | 'request.malformed'
  | 'request.too_frequent'
  | 'query.unknown'
  | 'field.unknown'
  | 'body.too_large'
  | 'body.unsupported'
  | 'body.encoding_unsupported'
  | 'service.unavailable';

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
}
