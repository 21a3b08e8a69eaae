import { UserAdministrationError } from '../user-administration-error.ts';

export type Query = Record<string, string | number | boolean | readonly string[] | undefined>;

/**
 * Puts ids into a path. A URL cannot hold an empty id, `.` or `..`: `fetch` would ask for another path, and a DELETE would hit
 * something else.
 *
 * @throws UserAdministrationError `client.argument_invalid`
 */
export function fillPath(path: string, params: Record<string, string> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value: unknown = params[name];
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value) || !value.isWellFormed()) {
      throw unusable(`${name} must be text that a URL can hold, and is ${JSON.stringify(value)}`);
    }
    return encodeURIComponent(value);
  });
}

/** With a question mark, if there is anything to ask. A list repeats its name. */
export function queryString(query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? (value as readonly string[]) : [value]) {
      if (one !== undefined && one !== null) parameters.append(name, String(one));
    }
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/**
 * A String by RFC 9651, as draft-ietf-httpapi-idempotency-key-header asks.
 *
 * @throws UserAdministrationError `client.argument_invalid`
 */
export function idempotencyHeader(key: string): string {
  if (typeof key === 'string' && /^[!-~]{1,255}$/.test(key)) return `"${key.replace(/["\\]/g, '\\$&')}"`;
  throw unusable('idempotencyKey must be 1 to 255 characters of visible ASCII');
}

/** @throws UserAdministrationError `client.argument_invalid` */
export function toJson(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw unusable('The body cannot be written as JSON', cause);
  }
}

/** Without what is undefined. */
export function given<Value>(values: Record<string, Value | undefined>): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).filter((pair): pair is [string, Value] => pair[1] !== undefined));
}

function unusable(detail: string, cause?: unknown): UserAdministrationError {
  return new UserAdministrationError({ code: 'client.argument_invalid', detail: `${detail}.`, cause });
}
