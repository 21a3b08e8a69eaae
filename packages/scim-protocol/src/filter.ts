import { parse, type Filter } from 'scim2-parse-filter';
import { LIMITS } from './limits';
import { ScimRefusal } from './refusal';

export type FilterOperator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le';

/** A filter as a tree. Attributes are as the caller spelt them. */
export type FilterNode =
  | { op: 'and' | 'or'; nodes: FilterNode[] }
  | { op: 'not'; node: FilterNode }
  | { op: 'pr'; attribute: string }
  | { op: FilterOperator; attribute: string; value: string | boolean | number | null }
  /** The conditions within the brackets hold of one and the same value. */
  | { op: '[]'; attribute: string; node: FilterNode };

const TOKEN = /"(?:[^"\\]|\\[^])*"|\]\.|[()[\]]|[^\s()[\]"]+/g;
const CONSTANT = /^(?:true|false|null)$/i;

/**
 * Reads a filter of RFC 7644 section 3.4.2.2.
 *
 * @param kind of the refusal: `invalidPath` where the filter is part of a path
 * @throws ScimRefusal
 */
export function parseFilter(text: string, kind: 'invalidFilter' | 'invalidPath' = 'invalidFilter'): FilterNode {
  try {
    if (text.length > 2 * LIMITS.filter || [...text].length > LIMITS.filter) throw new Error('too long');
    const { filter, values } = prepare(text);
    return toNode(parse(filter), values);
  } catch {
    throw new ScimRefusal(
      kind,
      `The filter cannot be read. It is as in RFC 7644, with at most ${LIMITS.filter} characters.`,
    );
  }
}

/**
 * Rewrites what the parser would misread. Texts become numbers, because it does not know all escapes of JSON.
 * `emails[type eq "work"].value eq "x"` becomes `emails[(type eq "work") and value eq "x"]`, because it would make two independent
 * conditions of it.
 */
function prepare(text: string): { filter: string; values: string[] } {
  if (text.replace(TOKEN, '').trim() !== '') throw new Error('a text or a bracket does not end');
  const tokens = text.match(TOKEN) ?? [];
  const values: string[] = [];
  const written: string[] = [];
  const opened: number[] = [];
  const ends = new Set<number>();
  for (const [at, token] of tokens.entries()) {
    if (token.startsWith('"')) written.push(`"${values.push(textOf(token)) - 1}"`);
    else if (token === '].') {
      written[opened.pop() ?? -1] = '[(';
      written.push(') and');
      // After the name, the operator and, unless it has none, the value.
      ends.add(at + (tokens[at + 2]?.toLowerCase() === 'pr' ? 2 : 3));
    } else {
      if (token === ']') opened.pop();
      written.push(CONSTANT.test(token) ? token.toLowerCase() : token);
      if (token === '[') opened.push(written.length - 1);
    }
    if (ends.has(at)) written.push(']');
  }
  return { filter: written.join(' '), values };
}

/** A text is JSON. A backslash that begins no escape stands for itself, as in the name of an account of a Windows domain. */
function textOf(token: string): string {
  try {
    return JSON.parse(token) as string;
  } catch {
    return token.slice(1, -1).replace(/\\(["\\])/g, '$1');
  }
}

/** The comparisons of a filter, each of which is made for every resource that is examined. */
export function comparisonsIn(node: FilterNode): number {
  if ('nodes' in node) return node.nodes.reduce((sum, one) => sum + comparisonsIn(one), 0);
  return 'node' in node ? comparisonsIn(node.node) : 1;
}

function toNode(filter: Filter, values: readonly string[]): FilterNode {
  if ('filters' in filter) return { op: filter.op, nodes: filter.filters.map((one) => toNode(one, values)) };
  if ('filter' in filter) return { op: 'not', node: toNode(filter.filter, values) };
  if ('valFilter' in filter) return { op: '[]', attribute: filter.attrPath, node: toNode(filter.valFilter, values) };
  if (!('compValue' in filter)) return { op: 'pr', attribute: filter.attrPath };
  const { op, attrPath: attribute, compValue } = filter;
  return { op, attribute, value: typeof compValue === 'string' ? (values[Number(compValue)] ?? '') : compValue };
}
