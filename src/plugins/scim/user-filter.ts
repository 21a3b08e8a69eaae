import { currentStatus } from '../../directory/current-status';
import {
  type Attribute,
  ENTERPRISE_USER,
  type FilterNode,
  type Schema,
  USER,
} from '@user-administration/scim-protocol';
import { type FilterAttributes, filterCondition, type FilterExpression, type FilterRows } from './scim-filter-sql';

const RESOURCE = 'p.resource';

const folded = (sql: string): FilterExpression => ({ kind: 'text', sql: `fold_case(${sql})`, folded: true });

const ENTERPRISE = attributesOf(ENTERPRISE_USER, `${RESOURCE} -> '${ENTERPRISE_USER.id}'`);

/** The attributes that filters of users compare: those of the schemas, and those with a column of their own. */
const USER_FILTER: FilterAttributes = {
  // Entra ID filters by `manager` without its URN.
  ...ENTERPRISE,
  ...withUrn(ENTERPRISE_USER, ENTERPRISE),
  ...attributesOf(USER, RESOURCE),
  id: { kind: 'text', sql: 'p.id' },
  username: folded('p.user_name'),
  externalid: { kind: 'text', sql: 'p.external_id' },
  displayname: folded('u.display_name'),
  active: { kind: 'boolean', sql: `(${currentStatus('u')} = 'active')` },
  'meta.created': { kind: 'time', sql: 'p.created_at' },
  'meta.lastmodified': { kind: 'time', sql: 'GREATEST(p.updated_at, u.updated_at)' },
  emails: {
    ...rowsOf('emails', USER.attributes.find(({ name }) => name === 'emails')?.subAttributes ?? [], RESOURCE),
    narrow: (parameter) => `p.emails @> ARRAY[left(fold_case(${parameter}::text), 320)]`,
  },
};

/** The condition of a filter. @throws ScimRefusal `invalidFilter` */
export function userCondition(filter: FilterNode, parameters: unknown[]): string {
  return filterCondition(filter, USER.id, USER_FILTER, parameters);
}

/**
 * The attributes of a schema, with their values in a JSON object. Their names are constants, never text of a caller.
 */
function attributesOf({ attributes }: Schema, json: string): FilterAttributes {
  const all: Record<string, FilterExpression | FilterRows> = {};
  for (const attribute of attributes) {
    const { name, multiValued, subAttributes } = attribute;
    const key = name.toLowerCase();
    if (!subAttributes) all[key] = expressionOf(attribute, json);
    else if (multiValued) all[key] = rowsOf(name, subAttributes, json);
    else {
      const parts = partsOf(subAttributes, `${json} -> '${name}'`);
      all[key] = parts.value ?? { kind: 'whole', sql: `(${json} -> '${name}')` };
      for (const [part, expression] of Object.entries(parts)) all[`${key}.${part}`] = expression;
    }
  }
  return all;
}

function withUrn({ id }: Schema, attributes: FilterAttributes): FilterAttributes {
  const urn = id.toLowerCase();
  return Object.fromEntries(Object.entries(attributes).map(([name, expression]) => [`${urn}:${name}`, expression]));
}

function expressionOf({ name, type, caseExact }: Attribute, json: string): FilterExpression {
  const sql = `(${json} ->> '${name}')`;
  if (type === 'boolean') return { kind: 'boolean', sql: `${sql}::boolean` };
  return caseExact ? { kind: 'text', sql } : folded(sql);
}

function rowsOf(name: string, parts: readonly Attribute[], json: string): FilterRows {
  return {
    kind: 'rows',
    from: `jsonb_array_elements(${json} -> '${name}') AS one (item)`,
    parts: partsOf(parts, 'item'),
  };
}

function partsOf(parts: readonly Attribute[], json: string): Record<string, FilterExpression> {
  return Object.fromEntries(parts.map((part) => [part.name.toLowerCase(), expressionOf(part, json)]));
}

/** Attributes whose values belong to few users, which an index finds. */
const SELECTIVE = ['id', 'username', 'externalid', 'emails', 'emails.value'];

/** Whether few users can match, so that all of them are found first and then sorted. */
export function isSelective(node: FilterNode): boolean {
  if (node.op === 'and') return node.nodes.some(isSelective);
  if (node.op === 'or') return node.nodes.every(isSelective);
  if (node.op === '[]') return isSelective(within(node.attribute, node.node));
  if (node.op !== 'eq' || node.value === null) return false;
  const name = node.attribute.toLowerCase().replace(/^urn:.*:/, '');
  return SELECTIVE.includes(name);
}

/** The conditions in brackets, for the attribute before them. */
function within(attribute: string, node: FilterNode): FilterNode {
  if ('nodes' in node) return { ...node, nodes: node.nodes.map((one) => within(attribute, one)) };
  return 'attribute' in node ? { ...node, attribute: `${attribute}.${node.attribute}` } : node;
}
