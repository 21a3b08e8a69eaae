import fc from 'fast-check';
import { type Attribute, ENTERPRISE_USER, GROUP, USER } from '@user-administration/scim-protocol';
import { type Provider, ScimApi, work } from './scim-api';

const api = ScimApi.forEachTest();
let okta: Provider;
beforeEach(async () => {
  okta = await api.provider();
  await okta.create({
    userName: 'ann',
    externalId: 'e1',
    title: 'Lead',
    emails: [work('ann@x.example')],
    addresses: [{ country: 'DE', type: 'work' }],
    [ENTERPRISE_USER.id]: { department: 'R&D', manager: { value: 'e2' } },
  });
  await okta.done('POST', '/Groups', { displayName: 'Staff', members: [{ value: 'e1' }] });
});

const COMPARISONS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'];
const LONE = String.raw`"\ud800"`;
const NUL = String.raw`"\u0000"`;
const VALUES = [
  ...[
    '"x"',
    '""',
    NUL,
    String.raw`"a\u0000b"`,
    LONE,
    String.raw`"\\"`,
    String.raw`"DOMAIN\user"`,
    '"2026-01-01T00:00:00Z"',
  ],
  ...[
    'true',
    '"False"',
    'null',
    '0',
    '-1.5e300',
    '1e999',
    '"%_\'"',
    '"0000-00-00T99:99:99Z"',
    '"294277-01-01T00:00:00Z"',
  ],
];

/** The names by which filters reach an attribute and its parts. */
function namesOf({ name, subAttributes = [], multiValued }: Attribute, urn = ''): string[] {
  const parts = subAttributes.map((part) => part.name);
  return [`${urn}${name}`, ...parts.map((part) => `${urn}${name}.${part}`), ...(multiValued ? [`${urn}${name}[`] : [])];
}

const COMMON = [
  'id',
  'externalId',
  'meta',
  'meta.created',
  'meta.lastModified',
  'meta.version',
  'schemas',
  'groups',
  'nothing',
];
const namesIn = (kind: 'User' | 'Group') => [
  ...COMMON,
  ...(kind === 'Group' ? GROUP : USER).attributes.flatMap((attribute) => namesOf(attribute)),
  ...(kind === 'Group' ? [] : ENTERPRISE_USER.attributes.flatMap((one) => namesOf(one, `${ENTERPRISE_USER.id}:`))),
];
const valueAt = (at: number) => VALUES[at % VALUES.length] ?? '';
const LISTS = { User: 'Users', Group: 'Groups' } as const;

/** A comparison of this attribute, or of a value in the brackets after it. */
const about = (name: string, rest: string) => (name.endsWith('[') ? `${name}value ${rest}]` : `${name} ${rest}`);

/** Each filter with the answer to it: 200, or the status and the type of a refusal. */
async function answersTo(
  kind: 'User' | 'Group',
  filters: readonly string[],
): Promise<[filter: string, answer: string][]> {
  const answers: [string, string][] = [];
  for (let at = 0; at < filters.length; at += 50)
    answers.push(
      ...(await Promise.all(
        filters.slice(at, at + 50).map(async (filter): Promise<[string, string]> => {
          const query = new URLSearchParams({ filter, count: '1' }).toString();
          return [filter, await okta.refusal('GET', `/${LISTS[kind]}?${query}`)];
        }),
      )),
    );
  return answers;
}

const others = (answers: [string, string][], ...expected: string[]) =>
  answers.filter(([, answer]) => !expected.includes(answer));

/** Three forms of an operator that the grammar does not have. */
function sabotaged(name: string, op: string): string[] {
  const whole = op === 'pr' ? 'pr' : `${op} "x"`;
  return [
    about(name, op === 'pr' ? 'pr "x"' : op),
    about(name, op === 'pr' ? 'pr pr' : `${op} ${op} "x"`),
    `${about(name, whole)} not ${about(name, whole)}`,
  ];
}

const JOINED = [
  ...['A and', 'and A', 'A and and A', 'A or', 'or A', 'A or or A', 'A and or A', 'A A', 'A not A', 'A not (A)'],
  ...[
    'not A',
    'not not (A)',
    'not',
    'not ()',
    'not (A',
    'A)',
    '(A',
    '()',
    'A (A)',
    '(A) A',
    '[A]',
    'A]',
    'A and not A',
  ],
];

describe.each(['User', 'Group'] as const)('a filter of resources of the kind %s', (kind) => {
  it('of any attribute, with any operator and any value, is answered or refused as a filter', async () => {
    const filters = namesIn(kind).flatMap((name) => [
      about(name, 'pr'),
      ...COMPARISONS.map((op) => about(name, `${op} ${NUL}`)),
      ...['eq', 'ew', 'ge'].map((op, at) => `not (${about(name, `${op} ${valueAt(at + name.length)}`)})`),
    ]);
    expect(filters.length).toBeGreaterThan(200);
    expect(others(await answersTo(kind, filters), '200', '400 invalidFilter')).toEqual([]);
    const each = ['displayName', 'meta.created', kind === 'User' ? 'addresses.country' : 'members.value'];
    const all = each.flatMap((name) =>
      COMPARISONS.flatMap((op) => VALUES.map((value) => about(name, `${op} ${value}`))),
    );
    expect(others(await answersTo(kind, all), '200', '400 invalidFilter')).toEqual([]);
  });

  it('of another form is refused', async () => {
    const names =
      kind === 'User' ? ['userName', 'addresses.country', 'emails[', 'active'] : ['displayName', 'members['];
    const filters = names.flatMap((name) => [
      ...['pr', ...COMPARISONS].flatMap((op) => sabotaged(name, op)),
      ...JOINED.map((form) => form.replaceAll('A', about(name, 'pr'))),
    ]);
    expect(others(await answersTo(kind, filters), '400 invalidFilter')).toEqual([]);
  });

  it('made of any words is answered or refused as a filter', async () => {
    const names = [...namesIn(kind).map((name) => name.replace('[', '')), '__proto__', 'constructor', 'a.b.c', '$ref'];
    const word = fc.oneof(
      ...[fc.constantFrom(...names), fc.constantFrom('pr', ...COMPARISONS), fc.constantFrom(...VALUES)],
      fc.constantFrom('and', 'or', 'not', '(', ')', '[', ']', '].value', '].', 'NOT', 'AND', '"', '\\', '\0', '\ud800'),
    );
    const comparison = fc
      .tuple(fc.constantFrom(...names), fc.constantFrom(...COMPARISONS), fc.constantFrom(...VALUES))
      .map((words) => words.join(' '));
    const { filter } = fc.letrec<{ filter: string }>((tie) => ({
      filter: fc.oneof(
        { maxDepth: 4 },
        comparison,
        fc.constantFrom(...names).map((name) => `${name} pr`),
        tie('filter').map((inner) => `not (${inner})`),
        fc.tuple(tie('filter'), fc.constantFrom('and', 'or'), tie('filter')).map((words) => words.join(' ')),
        fc.tuple(fc.constantFrom(...names), tie('filter')).map(([name, inner]) => `${name}[${inner}]`),
      ),
    }));
    const changed = fc.tuple(filter, fc.nat(), word).map(([text, at, other]) => {
      const words = text.split(' ');
      words.splice(at % words.length, at % 2, other);
      return words.join(' ');
    });
    const some = fc.sample(
      fc.oneof(
        filter,
        changed,
        fc.array(word, { maxLength: 8 }).map((words) => words.join(' ')),
      ),
      {
        numRuns: 800,
        seed: 44,
      },
    );
    expect(others(await answersTo(kind, some), '200', '400 invalidFilter')).toEqual([]);
  });
});

describe('a filter in the path of a PATCH', () => {
  it.each(['emails', 'members'])('of %s is carried out or refused, with any value', async (name) => {
    const { Resources } = await okta.done<{ Resources: { id: string }[] }>('GET', '/Groups');
    const resource = name === 'members' ? `/Groups/${Resources[0]?.id}` : '/Users/e1';
    const paths = ['value', 'type'].flatMap((part) => [
      ...COMPARISONS.map((op) => `${name}[${part} ${op} ${NUL}].value`),
      ...[NUL, LONE].map((value) => `${name}[${part} eq ${value}]`),
      `${name}[not (${part} eq ${NUL})]`,
      `${name}[type eq "x" and ${part} eq ${LONE}].display`,
    ]);
    for (const op of ['add', 'replace', 'remove'])
      for (const path of [...paths, `${name}\0`, `${name}[value eq "\0"]`, `${name}.\ud800`]) {
        const Operations = [{ op, path, ...(op !== 'remove' && { value: 'e1' }) }];
        const answer = await okta.refusal('PATCH', resource, { Operations });
        expect([op, path, answer]).toEqual([op, path, expect.stringMatching(/^(204|400 \w+)$/)]);
      }
  });

  it.each([
    ...['type pr not type pr', 'type pr not (type pr)', 'not type pr', 'not not (type pr)', 'type pr type pr', 'type'],
    ...['', 'type eq', 'pr', 'type eq "work', 'type pr] or emails[type pr', 'type eq "x" and', '(type pr', 'type pr)'],
  ])('that is %s is refused and changes nothing', async (filter) => {
    const before = await okta.done('GET', '/Users/e1');
    for (const op of ['add', 'replace', 'remove'])
      for (const part of ['', '.value']) {
        const operation = { op, path: `emails[${filter}]${part}`, ...(op !== 'remove' && { value: 'x@x.example' }) };
        const answer = await okta.refusal('PATCH', '/Users/e1', { Operations: [operation] });
        expect([operation.path, answer]).toEqual([operation.path, '400 invalidPath']);
      }
    expect(await okta.done('GET', '/Users/e1')).toEqual(before);
  });
});
