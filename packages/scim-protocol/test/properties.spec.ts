import fc from 'fast-check';
import {
  applyPatch,
  type Complex,
  type FilterNode,
  type FilterOperator,
  GROUP_TYPE,
  parseFilter,
  Projection,
  readGroup,
  readResource,
  ScimRefusal,
  USER_TYPE,
} from '../src/index';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const NAMES = [
  ...['userName', 'EMAILS', 'name', 'name.familyName', 'active', 'addresses', 'roles', 'members', 'displayName', 'id'],
  ...['value', 'type', 'primary', 'emails[type eq "work"].value', 'emails[primary eq 1]', 'members[value eq "x"]'],
  ...[USER_TYPE.core.id, ENTERPRISE, `${ENTERPRISE}:manager`, '__proto__', 'constructor', '', ' ', '['],
];
const PARTS = ['value', 'type', 'primary', 'display', 'country', 'nothing'];
const VALUES = [String.raw`"\u0000"`, '"a\0"', String.raw`"\ud800"`, '"work"', '""', 'true', 'null', '1e999'];
const filtered = fc
  .tuple(
    fc.constantFrom('emails', 'addresses', 'members', 'name', 'x509Certificates'),
    fc.array(
      fc.tuple(
        fc.constantFrom(...PARTS),
        fc.constantFrom('eq', 'eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le', 'pr'),
        fc.constantFrom(...VALUES, ''),
      ),
      { minLength: 1, maxLength: 3 },
    ),
    fc.constantFrom(' and ', ' or ', ' not ', ' '),
    fc.constantFrom('', '.value', '.type', '.primary', '.'),
  )
  .map(([of, all, joint, part]) => `${of}[${all.map((one) => one.join(' ')).join(joint)}]${part}`);
const name = fc.oneof(filtered, fc.constantFrom(...NAMES), fc.string());
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    ...[fc.string(), fc.boolean(), fc.double(), fc.integer(), fc.constant(null), fc.constantFrom('True', 'work')],
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(name, tie('json'), { maxKeys: 5 }),
  ),
}));
const operation = fc.record({ op: fc.constantFrom('add', 'Replace', 'REMOVE'), path: fc.option(name), value: json });
const BEFORE: Complex = {
  userName: 'ada',
  name: { familyName: 'Byron' },
  emails: [{ value: 'a@x.example', type: 'work', primary: true }, { value: 'b@x.example' }],
};

/** @returns undefined for what is refused; anything else that is thrown is a fault */
function unlessRefused<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ScimRefusal) return undefined;
    throw error;
  }
}

it('a body is read or refused, whatever it is', () => {
  fc.assert(
    fc.property(json, (body) => {
      unlessRefused(() => readResource(body, USER_TYPE));
      unlessRefused(() => readGroup(body));
      new Projection({ attributes: body, excludedAttributes: body }, USER_TYPE).of(BEFORE);
    }),
    { numRuns: 2_000 },
  );
});

it('a PATCH makes a resource that a body could say, or is refused', () => {
  fc.assert(
    fc.property(fc.array(operation, { minLength: 1, maxLength: 4 }), (operations) => {
      unlessRefused(() => applyPatch({ displayName: 'x' }, { Operations: operations }, GROUP_TYPE));
      const patched = unlessRefused(() => applyPatch(BEFORE, { Operations: operations }, USER_TYPE));
      if (!patched) return;
      const { resource } = patched;
      expect(resource.userName).toEqual(expect.any(String));
      // No value is empty, and at most one is primary.
      expect(readResource(resource, USER_TYPE)).toEqual(resource);
      expect(Object.prototype).not.toHaveProperty('value');
      // A database can store it.
      expect(JSON.stringify(resource)).not.toMatch(/\\u(?:0000|d[89a-f])/);
    }),
    { numRuns: 3_000 },
  );
});

it('a filter is read as it is written, or refused, whatever it is', () => {
  const comparison = fc.oneof(
    fc.constantFrom('a', 'a.b', 'urn:x:2.0:User:c').map((attribute): FilterNode => ({ op: 'pr', attribute })),
    fc.record({
      op: fc.constantFrom<FilterOperator[]>('eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'),
      attribute: fc.constantFrom('a', 'b-c', '$ref'),
      value: fc.oneof(fc.string(), fc.boolean(), fc.integer(), fc.constant(null)),
    }),
  );
  const { node } = fc.letrec<{ node: FilterNode }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      comparison,
      tie('node').map((inner): FilterNode => ({ op: 'not', node: inner })),
      tie('node').map((inner): FilterNode => ({ op: '[]', attribute: 'd', node: inner })),
      fc.record({
        op: fc.constantFrom('and' as const, 'or' as const),
        nodes: fc.array(tie('node'), { minLength: 2, maxLength: 3 }),
      }),
    ),
  }));
  const write = (one: FilterNode): string => {
    if ('nodes' in one) return one.nodes.map((inner) => `(${write(inner)})`).join(` ${one.op} `);
    if (one.op === 'not') return `NOT(${write(one.node)})`;
    if (one.op === '[]') return `${one.attribute}[${write(one.node)}]`;
    return `${one.attribute} ${one.op}${one.op === 'pr' ? '' : ` ${JSON.stringify(one.value)}`}`;
  };
  const isShort = (text: string) => [...text].length <= 1_000;
  fc.assert(
    fc.property(node, fc.nat(), fc.constantFrom('not', ')', '(', 'and', 'pr', '"', ''), (one, at, other) => {
      const text = write(one);
      if (!isShort(text)) return;
      expect(parseFilter(text)).toEqual(one);
      const words = text.split(' ');
      words.splice(at % words.length, at % 2, other);
      unlessRefused(() => parseFilter(words.join(' ')));
    }),
    { numRuns: 2_000 },
  );
});
