import type { ProblemBody } from '../../src/contract/answers';
import { type Answer, ASSIGNED, post } from '../support/ask';
import { useTestService } from '../support/test-service';
import { writeSmallDirectory } from '../support/small-directory';

const service = useTestService();
let authorization: string;

beforeAll(async () => {
  await writeSmallDirectory(service);
  authorization = `Bearer ${service.tokenOf('ada')}`;
});

const PROBLEM = 'application/problem+json';
const ASSIGN = '/api/users/workspace-assign';
const STATUS = '/api/users/manage-status';

const problemAt = (path: string, body: unknown, headers: Record<string, string | undefined> = {}): Promise<Answer> =>
  post(service.url + path, body, { accept: PROBLEM, authorization, ...headers });

function expectProblem(answer: Answer, body: Partial<ProblemBody>): void {
  expect(answer.text).toBe(JSON.stringify(body));
  expect(answer.status).toBe(body.status);
  expect(answer.headers.get('content-type')).toBe(PROBLEM);
  expect(answer.headers.get('vary')).toBe('Accept-Language, Accept');
}

describe('a caller that accepts problem documents', () => {
  it('receives the ids of unknown users and their positions', async () => {
    const userIds = ['ben', 'nobody', 'a/b~c', 'ben', 'no one'];
    expectProblem(await problemAt(ASSIGN, { userIds, workspaces: ['atlas'] }), {
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'Please select a valid User.',
      code: 'user.invalid',
      errors: [
        { pointer: '/userIds/1', id: 'nobody' },
        { pointer: '/userIds/2', id: 'a/b~c' },
        { pointer: '/userIds/4', id: 'no one' },
      ],
    });
  });

  it('receives the positions of elements that are no ids', async () => {
    const userIds = ['ben', 5, null, 'nobody', ['ben']];
    expectProblem(await problemAt(ASSIGN, { userIds, workspaces: ['atlas'] }), {
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'Please select a valid User.',
      code: 'user.invalid',
      errors: [{ pointer: '/userIds/1' }, { pointer: '/userIds/2' }, { pointer: '/userIds/4' }],
    });
    const answer = await problemAt(ASSIGN, { userIds: Array(1_000).fill(0), workspaces: ['atlas'] });
    expect((JSON.parse(answer.text) as ProblemBody).errors).toHaveLength(100);
  });

  it('receives the invalid groups, also those of workspaces that are not listed', async () => {
    const groups = ['atlas-managers', 'borealis-editors', 'nothing'];
    expectProblem(await problemAt(ASSIGN, { userIds: ['ben'], workspaces: ['atlas'], groups }), {
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'Please select a valid Group.',
      code: 'group.invalid',
      errors: [
        { pointer: '/groups/1', id: 'borealis-editors' },
        { pointer: '/groups/2', id: 'nothing' },
      ],
    });
  });

  it('receives the name of a missing list, in the language of the caller', async () => {
    const answer = await problemAt(ASSIGN, { userIds: ['ben'] }, { 'accept-language': 'de' });
    expectProblem(answer, {
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'Bitte wählen Sie mindestens einen Arbeitsbereich aus.',
      code: 'workspace.required',
      errors: [{ pointer: '/workspaces' }],
    });
    expect(answer.headers.get('content-language')).toBe('de');
  });

  it('receives at most a hundred positions', async () => {
    const userIds = Array.from({ length: 500 }, (_, n) => `nobody-${n}`);
    const { errors } = JSON.parse((await problemAt(ASSIGN, { userIds, workspaces: ['atlas'] })).text) as {
      errors: object[];
    };
    expect(errors).toHaveLength(100);
    expect(errors[99]).toEqual({ pointer: '/userIds/99', id: 'nobody-99' });
  });

  it('receives from manage-status no more detail than other callers', async () => {
    const body: ProblemBody = {
      type: 'about:blank',
      title: 'Unauthorized',
      status: 401,
      detail: 'Invalid token or user ID',
      code: 'status.not_permitted',
    };
    const token = service.tokenOf('ada');
    expectProblem(await problemAt(STATUS, { id: 'nobody', token }), body);
    expectProblem(await problemAt(STATUS, { id: 'ben', token: 'nonsense' }), body);
    expectProblem(await problemAt(STATUS, { id: 'ben', token }, { authorization: undefined }), body);
    expectProblem(await problemAt(STATUS, { token }), body);
    expectProblem(await problemAt(STATUS, { id: 'ben', token: 7 }), body);
  });

  it('receives the code of an error on a path without a route', async () => {
    expectProblem(await problemAt('/api/users/manage-status/x', {}), {
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'There is nothing at this address. Please check the path.',
      code: 'route.unknown',
    });
  });

  it('receives the usual body of a success', async () => {
    const answer = await problemAt(ASSIGN, { userIds: ['ben'], workspaces: ['atlas'] });
    expect(answer.text).toBe(ASSIGNED);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });
});

describe('the Accept header', () => {
  it.each([
    'application/problem+json',
    'Application/Problem+JSON',
    'application/problem+json, application/json',
    'application/json, application/problem+json',
    'application/json, application/problem+json, */*',
    'application/problem+json; charset=utf-8',
    'application/problem+json;charset="utf-8";q=0.5',
    'application/json;q=0.5, application/problem+json;q=0.6',
    'application/problem+json;q=0.9, */*;q=0.8',
    'text/html, application/problem+json;q=0.1',
    'application/json;q=0, */*',
  ])('asks for problem documents: %s', async (accept) => {
    expect((await problemAt(ASSIGN, {}, { accept })).headers.get('content-type')).toBe(PROBLEM);
  });

  it.each([
    '*/*',
    'application/*',
    'application/json',
    'application/problem+json;q=0.5, application/json;q=0.6',
    'application/problem+json;q=0',
    'application/problem+json; q=0',
    'application/problem+json;charset=utf-8 ;\tq=0',
    'application/problem+json ; q = 0.4, application/json; q=0.5',
    'application/problem+json;q=0, */*',
    'application/problem+json;q=0.5, */*',
    'application/problem+xml',
    'text/html',
    'text/html, */*;q=0.1',
    'nonsense',
    '/',
    ',;=',
  ])('does not ask for problem documents: %s', async (accept) => {
    const answer = await problemAt(ASSIGN, {}, { accept });
    expect(answer.text).toBe('{"status":400,"message":"Please select at least one user."}');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });
});
