import { readFileSync } from 'node:fs';
import { OPENAPI_FILE } from '../support/declared-answers';
import { compare, promisesOf, readPromises } from './promises';
import { EXCEPTIONS } from './promises.exceptions';

describe('openapi.json', () => {
  const { incompatible, next } = compare(
    readPromises(),
    promisesOf(JSON.parse(readFileSync(OPENAPI_FILE, 'utf8'))),
    EXCEPTIONS,
  );

  it('removes nothing and requires nothing new, unless promises.exceptions.ts says why', () => {
    expect(incompatible).toEqual([]);
  });

  it('keeps all promises of promises.txt (after a change, run: npm run openapi)', () => {
    expect(readPromises()).toEqual(next);
  });
});

interface Field {
  type: string;
  maxLength?: number;
  enum?: string[];
}

/** A document of one operation, open to be changed in any place. */
function parts() {
  const id: Field = { type: 'string', maxLength: 255 };
  const status: Field = { type: 'string', enum: ['active', 'inactive'] };
  const body = { type: 'object', required: ['id'], properties: { id, status } as Record<string, Field> };
  const answer = { type: 'object', required: ['message'], properties: { message: { type: 'string' } as Field } };
  const limit = { in: 'query', name: 'limit', required: false, schema: { type: 'integer' } as Partial<Field> };
  const responses: Record<string, object> = { 200: { content: { 'application/json': { schema: answer } } } };
  const operation = {
    parameters: [limit],
    requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Body' } } } },
    responses,
  };
  const paths: Record<string, object> = { '/users': { post: operation } };
  return { id, status, body, answer, operation, paths };
}

function document(change: (all: ReturnType<typeof parts>) => unknown = () => undefined): string[] {
  const all = parts();
  change(all);
  return promisesOf({ paths: all.paths, components: { schemas: { Body: all.body } } });
}

describe('the comparison of openapi.json with the promises', () => {
  const changes: [string, Parameters<typeof document>[0], string | undefined][] = [
    ['nothing', undefined, undefined],
    ['a new route', ({ paths }) => (paths['/groups'] = { get: { responses: {} } }), undefined],
    ['a removed route', ({ paths }) => delete paths['/users'], 'gone: POST /users'],
    ['a removed parameter', ({ operation }) => (operation.parameters = []), 'gone: POST /users query limit: integer'],
    [
      'a new parameter that is required',
      ({ operation }) => operation.parameters.push({ in: 'query', name: 'id', required: true, schema: {} }),
      'new: needs POST /users query id',
    ],
    ['a smaller maximum', ({ id }) => (id.maxLength = 100), 'new: needs Body.id maxLength 100'],
    ['a larger maximum', ({ id }) => (id.maxLength = 300), undefined],
    ['a new optional field', ({ body }) => (body.properties.reason = { type: 'string', maxLength: 5 }), undefined],
    [
      'a new field that is required',
      ({ body }) => {
        body.properties.reason = { type: 'string' };
        body.required.push('reason');
      },
      'new: needs Body.reason',
    ],
    ['a new maximum', ({ status }) => (status.maxLength = 9), 'new: needs Body.status maxLength 9'],
    ['a field that becomes required', ({ body }) => body.required.push('status'), 'new: needs Body.status'],
    ['a removed value', ({ status }) => status.enum?.pop(), 'gone: Body.status = "inactive"'],
    ['a new value', ({ status }) => status.enum?.push('asleep'), undefined],
    [
      'another type',
      ({ answer }) => (answer.properties.message.type = 'integer'),
      'gone: POST /users 200 application/json.message: string',
    ],
    [
      'an answer that may lack a field',
      ({ answer }) => (answer.required = []),
      'gone: POST /users 200 application/json.message is there',
    ],
    ['a removed status', ({ operation }) => delete operation.responses[200], 'gone: POST /users 200'],
  ];

  it.each(changes)('judges %s', (_, change, expected) => {
    const { incompatible } = compare(document(), document(change));
    expect(incompatible).toEqual(expected === undefined ? [] : expect.arrayContaining([expected]));
  });

  it('permits a promise that an exception names to be broken, and removes it', () => {
    const before = document();
    const now = document(({ status }) => status.enum?.pop());
    const line = 'gone: Body.status = "inactive"';
    expect(compare(before, now, { [line]: 'nobody used it' })).toEqual({ incompatible: [], next: now });
    expect(compare(before, now).next).toContain('Body.status = "inactive"');
  });
});
