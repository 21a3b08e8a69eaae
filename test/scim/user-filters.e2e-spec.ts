import { type Provider, ScimApi } from './scim-api';

const api = ScimApi.forEachTest();
const CORE = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

let okta: Provider;
beforeEach(async () => {
  okta = await api.provider();
});

const found = async (filter: string): Promise<string> =>
  (await okta.list({ filter })).Resources.map(({ id }) => id).join(' ');

const SIMPLE = {
  nickName: 'Annie',
  profileUrl: 'https://x.io/Ann',
  title: 'Vice President',
  userType: 'Contractor',
  preferredLanguage: 'de-CH',
  locale: 'de-DE',
  timezone: 'Europe/Berlin',
  displayName: 'Ann Lee',
};
const NAME = {
  formatted: 'Dr. Ann M. Lee PhD',
  familyName: 'Lee',
  givenName: 'Ann',
  middleName: 'M.',
  honorificPrefix: 'Dr.',
  honorificSuffix: 'PhD',
};
const EMPLOYEE = {
  employeeNumber: '42',
  costCenter: 'C1',
  organization: 'Acme',
  division: 'Looms',
  department: 'Engines',
};

describe('a filter of users', () => {
  beforeEach(async () => {
    await okta.create({
      userName: 'ann',
      externalId: 'ann',
      ...SIMPLE,
      name: NAME,
      emails: [
        { value: 'ann@work.io', type: 'work', display: 'Ann', primary: true },
        { value: 'ann@home.io', type: 'home' },
      ],
      phoneNumbers: [{ value: '+49 1', type: 'mobile' }],
      addresses: [{ locality: 'Berlin', country: 'DE', type: 'work', primary: true }],
      roles: ['cook'],
      [ENTERPRISE]: { ...EMPLOYEE, manager: { value: 'cyd', displayName: 'Cyd' } },
    });
    await okta.create({ userName: 'bob', externalId: 'bob', active: false });
  });

  it.each<[name: string, value: string, isExact: boolean]>([
    ...Object.entries(SIMPLE).map<[string, string, boolean]>(([name, value]) => [name, value, name === 'profileUrl']),
    ...Object.entries(NAME).map<[string, string, boolean]>(([part, value]) => [`name.${part}`, value, false]),
    ...Object.entries(EMPLOYEE).flatMap<[string, string, boolean]>(([name, value]) => [
      [`${ENTERPRISE}:${name}`, value, false],
      [name, value, false],
    ]),
    [`${ENTERPRISE}:manager`, 'cyd', false],
    [`${ENTERPRISE}:manager.value`, 'cyd', false],
    [`${ENTERPRISE}:manager.displayName`, 'Cyd', false],
    ['manager', 'cyd', false],
    [`${CORE}:title`, SIMPLE.title, false],
  ])('compares %s by every operator', async (name, value, isExact) => {
    const upper = value.toUpperCase();
    const cases: [filter: string, ids: string][] = [
      [`${name} eq "${value}"`, 'ann'],
      [`${name.toUpperCase()} EQ "${upper}"`, isExact && upper !== value ? '' : 'ann'],
      [`${name} ne "${value}"`, 'bob'],
      [`${name} co "${value.slice(1)}"`, 'ann'],
      [`${name} sw "${value.slice(0, 1)}"`, 'ann'],
      [`${name} ew "${value.slice(-1)}"`, 'ann'],
      [`${name} ge "${value}"`, 'ann'],
      [`${name} le "${value}"`, 'ann'],
      [`${name} gt "${value}"`, ''],
      [`${name} lt "${value}"`, ''],
      [`${name} pr`, 'ann'],
      [`not (${name} pr)`, 'bob'],
      [`${name} eq null`, 'bob'],
      [`id eq "ann" and ${name} eq "${value}"`, 'ann'],
    ];
    for (const [filter, ids] of cases) expect([filter, await found(filter)]).toEqual([filter, ids]);
  });

  it.each<[filter: string, ids: string]>([
    ['name pr', 'ann'],
    ['active eq 0', 'bob'],
    ['active eq "TRUE"', 'ann'],
    ['emails[type eq "work" and value sw "ann@home"]', ''],
    ['emails[type eq "home" and value sw "ann@home"]', 'ann'],
    ['emails[type eq "work"].value eq "ann@home.io"', ''],
    ['emails.display eq "ann" and emails.primary eq true', 'ann'],
    ['phoneNumbers.value eq "+49 1"', 'ann'],
    ['phoneNumbers[type eq "mobile" and value sw "+49"]', 'ann'],
    ['addresses pr', 'ann'],
    ['addresses[country eq "de" and primary eq true].locality eq "berlin"', 'ann'],
    ['roles eq "COOK"', 'ann'],
    ['not (roles pr)', 'bob'],
    [`id eq "bob" and manager eq "cyd"`, ''],
  ])('%s', async (filter, ids) => {
    expect(await found(filter)).toBe(ids);
  });

  it.each([
    'name eq "Ann"',
    'addresses eq "Berlin"',
    'title eq 7',
    'title eq true',
    'password eq "x"',
    'groups.value eq "x"',
    `${ENTERPRISE}:title pr`,
    `${ENTERPRISE} pr`,
    'urn:other:employeeNumber pr',
    'manager.constructor pr',
    'title',
    `title eq "${'x'.repeat(1_000)}"`,
  ])('%s is refused', async (filter) => {
    expect(await okta.refusal('GET', `/Users?${new URLSearchParams({ filter }).toString()}`)).toBe('400 invalidFilter');
  });
});
