import { type FilterNode, parseFilter } from './scim-filter';
import type { FilterAttributes, FilterExpression } from './scim-filter-sql';

const folded = (sql: string): FilterExpression => ({ kind: 'text', sql: `fold_case(${sql})`, folded: true });
const ofName = (part: string): FilterExpression => folded(`kept.resource -> 'name' ->> '${part}'`);

/** The attributes of users that can be filtered, over `FROM_KEPT`. */
export const USER_FILTER: FilterAttributes = {
  id: { kind: 'text', sql: 'kept.id' },
  username: folded('kept.user_name'),
  externalid: { kind: 'text', sql: 'kept.external_id' },
  displayname: folded('u.display_name'),
  active: { kind: 'boolean', sql: `(u.status = 'active')` },
  'name.formatted': ofName('formatted'),
  'name.familyname': ofName('familyName'),
  'name.givenname': ofName('givenName'),
  'name.middlename': ofName('middleName'),
  'name.honorificprefix': ofName('honorificPrefix'),
  'name.honorificsuffix': ofName('honorificSuffix'),
  'meta.created': { kind: 'time', sql: 'kept.created_at' },
  'meta.lastmodified': { kind: 'time', sql: 'GREATEST(kept.updated_at, u.updated_at)' },
  emails: {
    kind: 'rows',
    from: `jsonb_array_elements(kept.resource -> 'emails') AS one (address)`,
    parts: {
      value: folded(`address ->> 'value'`),
      type: folded(`address ->> 'type'`),
      display: folded(`address ->> 'display'`),
      primary: { kind: 'boolean', sql: `(address ->> 'primary')::boolean` },
    },
    narrow: (parameter) => `kept.emails @> ARRAY[left(fold_case(${parameter}::text), 320)]`,
  },
};

/** Attributes of which a value is that of few users, who are found by an index. */
const SELECTIVE = ['id', 'username', 'externalid', 'emails', 'emails.value'];

/** Whether few users can match, so that all of them are found first, and then ordered. */
export function isSelective(filter: string): boolean {
  return isNarrow(parseFilter(filter));
}

function isNarrow(node: FilterNode): boolean {
  if (node.op === 'and') return node.nodes.some(isNarrow);
  if (node.op === 'or') return node.nodes.every(isNarrow);
  if (node.op === '[]') return isNarrow(named(node.node, node.attribute));
  if (node.op !== 'eq' || node.value === null) return false;
  const name = node.attribute.toLowerCase().replace(/^urn:.*:/, '');
  return SELECTIVE.includes(name);
}

/** The conditions in brackets, of the attribute before them. */
function named(node: FilterNode, attribute: string): FilterNode {
  if ('nodes' in node) return { ...node, nodes: node.nodes.map((one) => named(one, attribute)) };
  return 'attribute' in node ? { ...node, attribute: `${attribute}.${node.attribute}` } : node;
}
