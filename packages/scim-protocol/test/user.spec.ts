import type { Complex } from '../src/resource';
import { emailsOf, namesOf } from '../src/user';

it.each<[user: Complex, names: string[]]>([
  [{}, []],
  [{ displayName: ' ', name: { formatted: '', givenName: ' ', familyName: '\t' } }, []],
  [
    { displayName: 'Ada', name: { formatted: 'Ada K', givenName: 'Augusta', familyName: 'King' } },
    ['Ada', 'Ada K', 'Augusta King'],
  ],
  [{ name: { familyName: 'King' } }, ['King']],
  [{ displayName: ' Ada ', name: { givenName: 'Augusta' } }, [' Ada ', 'Augusta']],
])('%j is called %j', (user, names) => {
  expect(namesOf(user)).toEqual(names);
});

it.each<[emails: Complex[], addresses: string[]]>([
  [[], []],
  [
    [
      { value: 'home@x.example', type: 'home' },
      { value: ' work@x.example ', type: 'WORK' },
      { type: 'work' },
      { value: 'other@x.example' },
      { value: 'first@x.example', type: 'home', primary: true },
    ],
    ['first@x.example', 'work@x.example', 'home@x.example', 'other@x.example'],
  ],
  [[{ value: ' ' }, { value: 'a@x.example', primary: false }], ['a@x.example']],
])('%j are the addresses %j', (emails, addresses) => {
  expect(emailsOf({ emails })).toEqual(addresses);
});

it('a user without addresses has none', () => {
  expect(emailsOf({})).toEqual([]);
});
