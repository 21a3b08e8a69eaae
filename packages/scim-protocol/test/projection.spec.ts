import { GROUP_TYPE } from '../src/group-schema';
import { Projection } from '../src/projection';
import { ENTERPRISE_USER, USER, USER_TYPE } from '../src/user-schema';

const ENTERPRISE = ENTERPRISE_USER.id;

const ADA = {
  schemas: [USER.id, ENTERPRISE],
  id: 'ada',
  externalId: 'e',
  userName: 'ada',
  name: { givenName: 'Ada', familyName: 'Byron' },
  emails: [{ value: 'a@x.example', type: 'work' }, { value: 'b@x.example' }],
  [ENTERPRISE]: { department: 'Engines', manager: { value: 'cyd', displayName: 'Cyd' } },
  meta: { resourceType: 'User', version: 'W/"1"' },
};
const ALWAYS = { schemas: ADA.schemas, id: 'ada' };
const NAMES = Object.keys(ADA);
const without = (...names: string[]): object =>
  Object.fromEntries(Object.entries(ADA).filter(([name]) => !names.includes(name)));

it.each<[attributes: unknown, seen: object]>([
  [undefined, ADA],
  ['', ADA],
  [{}, ADA],
  ['userName', { ...ALWAYS, userName: 'ada' }],
  [' USERNAME , externalid,meta', { ...ALWAYS, externalId: 'e', userName: 'ada', meta: ADA.meta }],
  [['userName', 'meta.version'], { ...ALWAYS, userName: 'ada', meta: { version: 'W/"1"' } }],
  [
    'name.familyName,emails.Value',
    { ...ALWAYS, name: { familyName: 'Byron' }, emails: [{ value: 'a@x.example' }, { value: 'b@x.example' }] },
  ],
  ['name,name.familyName', { ...ALWAYS, name: ADA.name }],
  ['name.familyName,name', { ...ALWAYS, name: ADA.name }],
  [`${USER.id}:userName`, { ...ALWAYS, userName: 'ada' }],
  [`${ENTERPRISE.toLowerCase()}:Department`, { ...ALWAYS, [ENTERPRISE]: { department: 'Engines' } }],
  [`${ENTERPRISE}:manager.displayName`, { ...ALWAYS, [ENTERPRISE]: { manager: { displayName: 'Cyd' } } }],
  [ENTERPRISE, { ...ALWAYS, [ENTERPRISE]: ADA[ENTERPRISE] }],
  ['nothing,__proto__,constructor,password,[', ALWAYS],
])('attributes=%s', (attributes, seen) => {
  expect(new Projection({ attributes, excludedAttributes: 'userName' }, USER_TYPE).of(ADA)).toEqual(
    seen === ADA ? without('userName') : seen,
  );
});

it.each<[excludedAttributes: unknown, seen: object]>([
  [undefined, ADA],
  ['emails,Name', without('emails', 'name')],
  ['id,schemas,externalId,meta', without('externalId', 'meta')],
  ['name.familyName', { ...ADA, name: { givenName: 'Ada' } }],
  [`${ENTERPRISE}:manager`, { ...ADA, [ENTERPRISE]: { department: 'Engines' } }],
  [ENTERPRISE, without(ENTERPRISE)],
  ['nothing,__proto__', ADA],
  [NAMES.join(), ALWAYS],
])('excludedAttributes=%s', (excludedAttributes, seen) => {
  expect(new Projection({ excludedAttributes }, USER_TYPE).of(ADA)).toEqual(seen);
});

it.each<[query: object, byDefault: boolean, members: boolean]>([
  [{}, true, true],
  [{}, false, false],
  [{ excludedAttributes: 'members' }, true, false],
  [{ excludedAttributes: 'members.display' }, true, true],
  [{ attributes: 'displayName' }, true, false],
  [{ attributes: 'Members' }, false, true],
  [{ attributes: 'members.value' }, false, true],
])('members are read only if they are seen: %j, by default %s', (query, byDefault, members) => {
  expect(new Projection(query, GROUP_TYPE).has('members', byDefault)).toBe(members);
});
