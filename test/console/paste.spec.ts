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
