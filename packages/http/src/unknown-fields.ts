import { HttpRefusal } from './refusal';
import { namesInOrder } from './body-structure';
import { shownName } from './shown-name';

/**
 * Refuses the fields of a body that the route does not have, for callers that send `Prefer: handling=strict`.
 *
 * @param json the text of the body, which has the order of its fields
 * @throws HttpRefusal `field.unknown` for the first of them
 */
export function refuseUnknownFields(body: unknown, json: Uint8Array, known: ReadonlySet<string>): void {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (!isObject || Object.keys(body).every((name) => known.has(name))) return;
  for (const name of namesInOrder(json)) {
    if (known.has(name)) continue;
    const field = shownName(name);
    const errors = field === name ? [{ pointer: `/${asPointer(name)}` }] : undefined;
    throw new HttpRefusal('field.unknown', { args: { field }, errors });
  }
}

/** RFC 6901 section 3. */
function asPointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
