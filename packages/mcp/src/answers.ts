import { UserAdministrationError } from '@user-administration/client';
import { ToolError } from './tool';

const LONGEST_LIST = 100;

/** The same value without the addresses of people, wherever they stand. */
export function withoutAddresses(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAddresses);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => name !== 'email' && name !== 'emails');
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutAddresses(inner)]));
}

/** The same value with at most 100 elements in each list. Beside a shortened list, `leftOut` says how many there are more. */
export function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, LONGEST_LIST).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  const lists = Object.entries(value).flatMap(([name, inner]) =>
    Array.isArray(inner) && inner.length > LONGEST_LIST ? [[name, inner.length - LONGEST_LIST] as const] : [],
  );
  const kept = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]));
  return lists.length === 0 ? kept : { ...kept, leftOut: Object.fromEntries(lists) };
}

/** The first elements of a list that is read page by page, and whether there are more. */
export async function firstOf<Item>(
  items: AsyncIterable<Item>,
  most: number,
): Promise<{ items: Item[]; more: boolean }> {
  const found: Item[] = [];
  for await (const item of items) {
    if (found.length === most) return { items: found, more: true };
    found.push(item);
  }
  return { items: found, more: false };
}

/** An error as an agent reads it: the code of the service, its sentence, and where they help the ids at fault. */
export function problemOf(error: unknown): Record<string, unknown> {
  if (error instanceof ToolError) return { code: error.code, message: error.message, ...error.facts };
  if (!(error instanceof UserAdministrationError)) {
    return { code: 'mcp.failed', message: error instanceof Error ? error.message : String(error) };
  }
  const { code, detail, errors, outcomeUnknown, requestId } = error;
  return {
    code,
    message: detail,
    ...(errors.length > 0 && { errors: errors.slice(0, LONGEST_LIST) }),
    ...(outcomeUnknown && { outcomeUnknown }),
    ...(requestId !== undefined && { requestId }),
  };
}
