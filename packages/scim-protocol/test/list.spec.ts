import { listBody, readListQuery } from '../src/list';

const FILTER = { op: 'eq', attribute: 'userName', value: 'ada' };
const FIRST = { filter: undefined, count: 100, startIndex: 1 };

it.each<[query: object, asked: object]>([
  [{}, FIRST],
  [{ filter: '', count: '', startIndex: ' ', aadOptscim062020: '' }, FIRST],
  [{ Filter: 'userName eq "ada"' }, { ...FIRST, filter: FILTER }],
  [
    { COUNT: ['7', '8'], startindex: ' 3 ' },
    { ...FIRST, count: 7, startIndex: 3 },
  ],
  [
    { count: '201', startIndex: '0' },
    { ...FIRST, count: 200 },
  ],
  [
    { count: '-1', startIndex: '9'.repeat(400) },
    { ...FIRST, count: 0, startIndex: Number.MAX_SAFE_INTEGER },
  ],
  [
    { cursor: 'next', startIndex: '5' },
    { ...FIRST, startIndex: 5 },
  ],
  [{ filter: { op: 'eq' }, count: { a: '1' } }, FIRST],
])('%j asks for %j', (query, asked) => {
  expect(readListQuery({ ...query })).toEqual(asked);
});

it.each([
  ['count', '1.5'],
  ['startIndex', 'one'],
])('%s=%s is refused', (name, value) => {
  expect(() => readListQuery({ [name]: value })).toThrow(`invalidValue: ${name} is a whole number.`);
});

it('an invalid filter is refused', () => {
  expect(() => readListQuery({ filter: 'userName' })).toThrow(/^invalidFilter: /);
});

it('the body of a list tells where its page is', () => {
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:ListResponse'];
  const Resources = [{ id: 'ada' }];
  expect(listBody(Resources, { total: 3, startIndex: 2 })).toEqual({
    schemas,
    totalResults: 3,
    itemsPerPage: 1,
    startIndex: 2,
    Resources,
  });
});
