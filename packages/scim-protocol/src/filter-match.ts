import { ScimRefusal } from './refusal';
import type { FilterNode, FilterOperator } from './filter';
import { named } from './path';
import { type Complex, readText, toBoolean } from './resource';
import type { Attribute } from './schema';

const COMPARISONS: Readonly<Record<FilterOperator, (one: string, other: string) => boolean>> = {
  eq: (one, other) => one === other,
  ne: (one, other) => one !== other,
  co: (one, other) => one.includes(other),
  sw: (one, other) => one.startsWith(other),
  ew: (one, other) => one.endsWith(other),
  gt: (one, other) => one > other,
  ge: (one, other) => one >= other,
  lt: (one, other) => one < other,
  le: (one, other) => one <= other,
};

/**
 * Whether a value of an attribute is one that the filter of a path selects.
 *
 * @throws ScimRefusal `invalidPath` for a part that the attribute does not have
 */
export function selects(filter: FilterNode, value: Complex, attribute: Attribute): boolean {
  if ('nodes' in filter) {
    const one = (node: FilterNode): boolean => selects(node, value, attribute);
    return filter.op === 'and' ? filter.nodes.every(one) : filter.nodes.some(one);
  }
  if (filter.op === 'not') return !selects(filter.node, value, attribute);
  const part = partOf(attribute, filter.attribute);
  const has = value[part.name];
  if (filter.op === '[]') throw noSuchPart(filter.attribute);
  if (filter.op === 'pr') return has !== undefined;
  if (filter.value === null) return (has === undefined) === (filter.op === 'eq');
  if (has === undefined) return filter.op === 'ne';
  const compared = (value: unknown): string => {
    const text = String(part.type === 'boolean' ? toBoolean(value) : value);
    return part.caseExact ? text : text.toLowerCase();
  };
  return COMPARISONS[filter.op](compared(has), compared(filter.value));
}

/**
 * The value that a filter describes, which is made where none is selected: Entra ID sets `emails[type eq "work"].value` of users without
 * one.
 *
 * @throws ScimRefusal `noTarget` for a filter that does not say what the value is, `invalidValue` for text that cannot be
 *   stored
 */
export function describedBy(filter: FilterNode, attribute: Attribute): Complex {
  if (filter.op === 'and')
    return Object.assign({}, ...filter.nodes.map((node) => describedBy(node, attribute))) as Complex;
  if (filter.op !== 'eq' || filter.value === null) {
    throw new ScimRefusal('noTarget', `No value of ${attribute.name} is selected by the path.`);
  }
  const part = partOf(attribute, filter.attribute);
  const { value } = filter;
  return { [part.name]: part.type === 'boolean' ? (toBoolean(value) ?? false) : readText(String(value), part.name) };
}

function partOf(attribute: Attribute, name: string): Attribute {
  const part = named(attribute.subAttributes, name);
  if (!part) throw noSuchPart(name);
  return part;
}

function noSuchPart(name: string): ScimRefusal {
  return new ScimRefusal('invalidPath', `There is nothing to select by ${name.slice(0, 100)}.`);
}
