import { isList, searchOf } from '../../console/src/finding/search-of';
import { readList } from '../../console/src/people/paste-list';

describe('a pasted list of people', () => {
  it.each([
    ['ada@b.example\nben@b.example\r\n\n', ['ada@b.example', 'ben@b.example']],
    ['ada, ben; cyd\tdee  eve', ['ada', 'ben', 'cyd', 'dee', 'eve']],
    ['"Ada Lovelace" <ada@b.example>, Ben <ben@b.example>;', ['ada@b.example', 'ben@b.example']],
    [`'ada@b.example', "ben", “cyd”, «dee»`, ['ada@b.example', 'ben', 'cyd', 'dee']],
    ['<ada@b.example>', ['ada@b.example']],
    ['mailto:ada@b.example ada@b.example', ['ada@b.example']],
    ['auth0|5f7c,\u00A0018f-1', ['auth0|5f7c', '018f-1']],
    [' \n,;\t', []],
  ])('%j', (text, list) => expect(readList(text)).toEqual(list));
});

describe('what somebody pastes into the search', () => {
  it.each([
    ['Rossi, Priya', 'Rossi Priya'],
    ['<ada@b.example>', 'ada@b.example'],
    [' ada@b.example; ', 'ada@b.example'],
    ['"Ada Lovelace"', 'Ada Lovelace'],
    ['“Ada Lovelace” <ada@b.example>,', 'ada@b.example'],
    ['mailto:ada@b.example', 'ada@b.example'],
    ['Ada <mailto:ada@b.example>', 'ada@b.example'],
    ['O’Brien', 'O’Brien'],
    ["O'Brien", "O'Brien"],
    ['auth0|5f7c', 'auth0|5f7c'],
    ['"', '"'],
    [' ', ''],
  ])('%j looks for %j', (text, search) => expect(searchOf(text)).toBe(search));

  it.each([
    ['ada\r\nben', true],
    ['ada\n\n', false],
    ['"Rossi, Priya" <p@b.example>; ben@b.example', true],
    ['Priya <p@b.example>;', false],
    ['Rossi, Priya @ home', false],
  ])('%j is a list: %s', (text, is) => expect(isList(text)).toBe(is));
});
