import { UserAdministrationError } from '../user-administration-error.ts';

export type Query = Record<string, string | number | boolean | readonly string[] | undefined>;

/**
 * Inserts ids into a path template. An empty id, `.` and `..` are rejected: `fetch` normalizes such a path to another one, and a DELETE
 * would hit another resource.
 *
 * @throws UserAdministrationError `client.argument_invalid`
 */
export function fillPath(path: string, params: Record<string, string> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value: unknown = params[name];
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value) || !value.isWellFormed()) {
      throw unusable(`${name} must be text that a URL path can contain, but is ${JSON.stringify(value)}`);
    }
    return encodeURIComponent(value);
  });
}

/**
 * The query with its question mark, or an empty text. A list repeats the name of its parameter.
 *
 * @throws UserAdministrationError `client.argument_invalid` for an empty list, because the service would not apply the filter
 */
export function queryString(query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value) && value.length === 0) throw unusable(`The filter ${name} is an empty list`);
    for (const one of Array.isArray(value) ? (value as readonly string[]) : [value]) {
      if (one !== undefined && one !== null) parameters.append(name, String(one));
    }
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/**
 * Writes the key as a String of RFC 9651, as draft-ietf-httpapi-idempotency-key-header requires.
 *
 * @throws UserAdministrationError `client.argument_invalid`
 */
export function idempotencyHeader(key: string): string {
  if (typeof key === 'string' && /^[!-~]{1,255}$/.test(key)) return `"${key.replace(/["\\]/g, '\\$&')}"`;
  throw unusable('idempotencyKey must be 1 to 255 visible ASCII characters');
}

/**
 * Checks the `etag` of a condition. An empty one comes from an answer whose ETag a proxy has removed.
 *
 * @throws UserAdministrationError `client.argument_invalid`
 */
export function etagHeader(name: string, etag: string | undefined): string | undefined {
  if (etag === undefined || (typeof etag === 'string' && /^[ -~]*[!-~][ -~]*$/.test(etag))) return etag;
  throw unusable(`${name} must be the etag of a record`);
}

/** @throws UserAdministrationError `client.argument_invalid` */
export function toJson(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw unusable('The body cannot be written as JSON', cause);
  }
}

/** Drops the entries without a value. */
export function given<Value>(values: Record<string, Value | undefined>): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).filter((pair): pair is [string, Value] => pair[1] !== undefined));
}

function unusable(detail: string, cause?: unknown): UserAdministrationError {
  return new UserAdministrationError({ code: 'client.argument_invalid', detail: `${detail}.`, cause });
}
