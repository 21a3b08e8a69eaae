import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One promise or demand in each line, in order. Lines merge where a whole document would not. */
export const PROMISES_FILE = join(__dirname, 'promises.txt');

/** Guarantees to callers must not disappear, and requirements on them (lines that begin with `needs`) must not grow. */
export interface Comparison {
  incompatible: string[];
  /** The file as it should be: with all that is new and compatible, and without what an exception names. */
  next: string[];
}

export type Exceptions = Readonly<Record<string, string>>;
type Node = Record<string, unknown>;

const BOUND = /^(needs .*) (max|min)(\w+) (\d+)$/;
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

export function readPromises(): string[] {
  return readFileSync(PROMISES_FILE, 'utf8').split('\n').filter(Boolean);
}

/** Compares what was promised with what a document promises. An exception names a line as `incompatible` does. */
export function compare(before: readonly string[], now: readonly string[], exceptions: Exceptions = {}): Comparison {
  const gone = before.filter((line) => !now.includes(line));
  const added = now.filter((line) => !before.includes(line));
  const stricter = added.filter((line) => line.startsWith('needs ') && !isCompatible(line, before));
  const incompatible = [
    ...gone.filter((line) => !line.startsWith('needs ')).map((line) => `gone: ${line}`),
    ...stricter.map((line) => `new: ${line}`),
  ].filter((line) => !(line in exceptions));
  const kept = gone.filter((line) => incompatible.includes(`gone: ${line}`));
  const taken = now.filter((line) => !incompatible.includes(`new: ${line}`));
  return { incompatible, next: [...new Set([...taken, ...kept])].sort() };
}

/** A bound that is no stricter than before or is on something new, or what something new requires. */
function isCompatible(line: string, before: readonly string[]): boolean {
  const bound = BOUND.exec(line);
  if (!bound) return !isThere(ownerOf(line.replace(/^needs /, '')), before);
  const [, subject = '', side, what, value] = bound;
  if (!isThere(subject.replace(/^needs /, ''), before)) return true;
  const old = before
    .map((one) => BOUND.exec(one))
    .find((one) => one?.[1] === subject && one[2] === side && one[3] === what);
  if (!old) return false;
  return side === 'max' ? Number(value) >= Number(old[4]) : Number(value) <= Number(old[4]);
}

/** The schema that has a property; the operation that has a parameter. */
function ownerOf(place: string): string {
  return / (query|header|cookie) /.test(place)
    ? place.replace(/ (query|header|cookie) .*/, '')
    : place.replace(/\.[^.]+$/, '');
}

function isThere(place: string, before: readonly string[]): boolean {
  return before.some((line) => line === place || line.startsWith(`${place}: `));
}

/** Every promise and demand of a document, in order. */
export function promisesOf(document: Node): string[] {
  return new PromiseList(document).lines();
}

class PromiseList {
  private readonly found = new Set<string>();
  /** Schemas that have been walked, as requests and as answers. */
  private readonly walked = new Set<string>();

  constructor(private readonly document: Node) {}

  lines(): string[] {
    for (const [path, operations] of entries(this.document.paths))
      for (const [method, operation] of entries(operations))
        if (METHODS.includes(method)) this.operation(`${method.toUpperCase()} ${path}`, operation);
    for (const name of Object.keys((this.document.webhooks ?? {}) as Node)) this.found.add(`webhook ${name}`);
    return [...this.found].sort();
  }

  private operation(name: string, operation: Node): void {
    this.found.add(name);
    for (const one of (operation.parameters ?? []) as Node[]) {
      const parameter = this.resolved(one);
      const place = `${name} ${String(parameter.in)} ${String(parameter.name)}`;
      if (parameter.required && parameter.in !== 'path') this.found.add(`needs ${place}`);
      this.schema(place, parameter.schema as Node, true);
    }
    const body = operation.requestBody as Node | undefined;
    for (const [type, media] of entries(body?.content)) this.schema(`${name} body ${type}`, media.schema as Node, true);
    for (const [status, one] of entries(operation.responses)) {
      const response = this.resolved(one);
      this.found.add(`${name} ${status}`);
      for (const [header, value] of entries(response.headers))
        if (this.resolved(value).required) this.found.add(`${name} ${status} header ${header}`);
      for (const [type, media] of entries(response.content))
        this.schema(`${name} ${status} ${type}`, media.schema as Node, false);
    }
  }

  /** `isSent`: callers send it, so it demands what is required of it; else the service promises it. */
  private schema(place: string, schema: Node, isSent: boolean): void {
    this.found.add(`${place}: ${shape(schema)}`);
    for (const value of (schema.enum ?? []) as unknown[]) this.found.add(`${place} = ${JSON.stringify(value)}`);
    for (const [word, value] of Object.entries(schema))
      if (isSent && /^(max|min)/.test(word)) this.found.add(`needs ${place} ${word} ${String(value)}`);
    for (const part of [...((schema.allOf ?? []) as Node[]), ...((schema.anyOf ?? []) as Node[]), schema.items as Node])
      if (part) this.schema(`${place}[]`, part, isSent);
    if (schema.properties) this.properties(place, schema, isSent);
    const ref = schema.$ref as string | undefined;
    if (!ref || this.walked.has(`${ref} ${isSent}`)) return;
    this.walked.add(`${ref} ${isSent}`);
    this.schema(ref.split('/').at(-1) ?? ref, this.resolved(schema), isSent);
  }

  private properties(place: string, schema: Node, isSent: boolean): void {
    for (const [name, property] of entries(schema.properties)) {
      const isRequired = ((schema.required ?? []) as string[]).includes(name);
      if (isRequired) this.found.add(isSent ? `needs ${place}.${name}` : `${place}.${name} is there`);
      this.schema(`${place}.${name}`, property, isSent);
    }
  }

  private resolved(node: Node): Node {
    if (typeof node.$ref !== 'string') return node;
    return node.$ref
      .split('/')
      .slice(1)
      .reduce((at, key) => at[key] as Node, this.document);
  }
}

function shape({ $ref, type, format, allOf, anyOf }: Node): string {
  if (typeof $ref === 'string') return $ref.split('/').at(-1) ?? '';
  const words = [[type].flat().filter(Boolean).join('|'), format, allOf && 'all of', anyOf && 'any of'];
  return words.filter(Boolean).join(' ') || 'anything';
}

function entries(node: unknown): [string, Node][] {
  return Object.entries((node ?? {}) as Record<string, Node>);
}
