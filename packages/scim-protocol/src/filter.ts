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

const COMPARISONS: readonly string[] = [
  'eq',
  'ne',
  'co',
  'sw',
  'ew',
  'gt',
  'ge',
  'lt',
  'le',
] satisfies FilterOperator[];
const WORDS = ['and', 'or', 'not'];

/** A text; a bracket, with the part of the selected value that may follow it; a word. */
const TOKEN = /"(?:[^"\\]|\\[^])*"|\](?:\.[^\s()[\]"]+)?|[()[]|[^\s()[\]"]+/g;
const NAME = /^[\w$][-\w.:/%$]*$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?$/i;
const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/**
 * Reads a filter of RFC 7644 section 3.4.2.2.
 *
 * @param kind of the refusal: `invalidPath` where the filter is part of a path
 * @throws ScimRefusal
 */
export function parseFilter(text: string, kind: 'invalidFilter' | 'invalidPath' = 'invalidFilter'): FilterNode {
  const isShort = text.length <= 2 * LIMITS.filter && [...text].length <= LIMITS.filter;
  const node =
    isShort && text.replace(TOKEN, '').trim() === '' ? new FilterReader(text.match(TOKEN) ?? []).read() : undefined;
  if (node) return node;
  throw new ScimRefusal(
    kind,
    `The filter cannot be read. It is as in RFC 7644, with at most ${LIMITS.filter} characters.`,
  );
}

/** Reads the grammar by recursive descent. Every method returns undefined for what is not of its rule. */
class FilterReader {
  private at = 0;

  constructor(private readonly tokens: readonly string[]) {}

  read(): FilterNode | undefined {
    const node = this.either();
    return this.at === this.tokens.length ? node : undefined;
  }

  private either(): FilterNode | undefined {
    return this.joined('or', () => this.joined('and', () => this.single()));
  }

  private joined(op: 'and' | 'or', read: () => FilterNode | undefined): FilterNode | undefined {
    const nodes: FilterNode[] = [];
    do {
      const node = read();
      if (!node) return undefined;
      nodes.push(node);
    } while (this.takes(op));
    return nodes.length === 1 ? nodes[0] : { op, nodes };
  }

  private single(): FilterNode | undefined {
    const isNegated = this.takes('not');
    if (this.takes('(')) {
      const node = this.either();
      if (!node || !this.takes(')')) return undefined;
      return isNegated ? { op: 'not', node } : node;
    }
    return isNegated ? undefined : this.ofAttribute(this.take());
  }

  private ofAttribute(attribute: string): FilterNode | undefined {
    if (!isName(attribute)) return undefined;
    if (!this.takes('[')) return this.comparison(attribute);
    const node = this.either();
    const end = this.take();
    if (!node || !end.startsWith(']')) return undefined;
    if (end === ']') return { op: '[]', attribute, node };
    // A part after the brackets is of the value that they select.
    const part = end.slice(2);
    const ofPart = isName(part) ? this.comparison(part) : undefined;
    return ofPart && { op: '[]', attribute, node: { op: 'and', nodes: [node, ofPart] } };
  }

  private comparison(attribute: string): FilterNode | undefined {
    const op = this.take().toLowerCase();
    if (op === 'pr') return { op, attribute };
    if (!COMPARISONS.includes(op)) return undefined;
    const value = valueOf(this.take());
    return value === undefined ? undefined : { op: op as FilterOperator, attribute, value };
  }

  /** The next token; empty after the last. */
  private take(): string {
    return this.tokens[this.at++] ?? '';
  }

  private takes(token: string): boolean {
    const isNext = this.tokens[this.at]?.toLowerCase() === token;
    if (isNext) this.at += 1;
    return isNext;
  }
}

function isName(token: string): boolean {
  return NAME.test(token) && !WORDS.includes(token.toLowerCase());
}

function valueOf(token: string): string | boolean | number | null | undefined {
  if (token.startsWith('"')) return textOf(token);
  return NUMBER.test(token) ? Number(token) : CONSTANTS.get(token.toLowerCase());
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
