import fc from 'fast-check';
import {
  applyPatch,
  type Complex,
  GROUP_TYPE,
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
const name = fc.oneof(fc.constantFrom(...NAMES), fc.string());
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
    }),
    { numRuns: 3_000 },
  );
});
