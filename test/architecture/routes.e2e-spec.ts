import type { AddressInfo } from 'node:net';
import { Controller, Get, Module } from '@nestjs/common';
import { HttpAdapterHost, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from '../../src/app.module';
import { Public } from '../../src/auth/public.decorator';
import { DatabaseStartup } from '../../src/database/database-startup';
import { useTestService } from '../support/test-service';
import { UserTypeRule } from '../../src/users/user-type/user-type-rule';

/** Every path that answers without a token: the pages and what leads to them, health and metrics. */
const OPEN = [
  /^\/admin(\/:version\/.+)?$/,
  /^\/(docs)?$/,
  /^\/api\/docs(-json|\/.*)?$/,
  /^\/health\/(live|ready)$/,
  /^\/metrics$/,
];

/** What a closed route answers without a token, by its shape. */
const REFUSALS: readonly string[] = [
  '401 {"status":401,"message":"Please sign in with a valid token."}',
  '401 {"status":"error","message":"Invalid token or user ID"}',
  '401 {"schemas":["urn:ietf:params:scim:api:messages:2.0:Error"],"status":"401","detail":"Please sign in with a valid token."}',
];

/** What SCIM answers to everybody but the connections, whose tests are in `test/scim`. */
const CONNECTIONS_ONLY = REFUSALS[2] ?? '';
const isForConnections = (path: string): boolean => `${path}/`.startsWith('/scim/v2/');

/** What a user may call who is not an administrator, besides the open routes. */
const FOR_EVERY_USER = ['GET /api/me', 'POST /api/users/manage-status'];
const FORBIDDEN = '403 {"status":403,"message":"Only an administrator can do this."}';

/** Where middleware of Nest hangs: it answers nothing itself. */
const EVERYWHERE = '/{*path}';

interface Router {
  stack: { route?: { path: string; methods: Record<string, boolean> } }[];
}

const service = useTestService();

/** A body that no route refuses with 401, so that a 401 concerns the caller. */
let body: object;

beforeAll(async () => {
  await service.directory.workspace('atlas');
  await service.directory.user('ben');
  await service.directory.user('max', { type: 'manager' });
  body = { userIds: ['ben'], workspaces: ['atlas'], id: 'ben', status: 'inactive', token: service.serviceToken() };
});

interface Route {
  method: string;
  path: string;
}

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

function routesOf(app: NestExpressApplication): Route[] {
  const { router } = app.get(HttpAdapterHost).httpAdapter.getInstance<{ router: Router }>();
  return router.stack
    .flatMap(({ route }) => (route && route.path !== EVERYWHERE ? [route] : []))
    .flatMap(({ path, methods }) => Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })));
}

const isOpen = (path: string): boolean => OPEN.some((pattern) => pattern.test(path));

async function answerOf(base: string, method: string, path: string, authorization?: string): Promise<string> {
  const response = await fetch(`${base}${path.replace(/:\w+/g, 'x')}`, {
    method,
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
  });
  return `${response.status} ${await response.text()}`;
}

/** The routes that give this caller another answer than one of these refusals. */
async function admitting(authorization: string | undefined, refusals: readonly string[]): Promise<string[]> {
  const admitted: string[] = [];
  for (const route of routesOf(service.app)) {
    const answer = await answerOf(service.url, route.method, route.path, authorization);
    if (!refusals.includes(answer)) admitted.push(nameOf(route));
  }
  return admitted;
}

describe('the routes of the service', () => {
  it('answer a signed-in caller differently, so that the refusals below are those of guards', async () => {
    const refused: string[] = [];
    for (const { method, path } of routesOf(service.app).filter(
      ({ path }) => !isOpen(path) && !isForConnections(path),
    )) {
      const answer = await answerOf(service.url, method, path, `Bearer ${service.serviceToken()}`);
      if (/^40[13] /.test(answer)) refused.push(`${method} ${path}: ${answer}`);
    }
    expect(refused).toEqual([]);
  });

  it('are all covered by this test', () => {
    const paths = routesOf(service.app).map(nameOf);
    expect(paths).toEqual(
      expect.arrayContaining([
        'POST /api/users/workspace-assign',
        'POST /api/users/manage-status',
        'GET /api/docs',
        'GET /api/docs-json',
        'GET /health/live',
        'GET /health/ready',
      ]),
    );
  });

  it.each([
    ['without a token', undefined],
    ['with a token that is none', 'Bearer none'],
    ['with another scheme', 'Basic YWRhOmFkYQ=='],
  ])('refuse a caller %s, unless they are public', async (_, authorization) => {
    const open = routesOf(service.app).filter(({ path }) => isOpen(path));
    expect(await admitting(authorization, REFUSALS)).toEqual(open.map(nameOf));
  });

  it('refuse a user who is not an administrator, unless they are for every user', async () => {
    const forEveryUser = routesOf(service.app).filter(
      (route) => isOpen(route.path) || FOR_EVERY_USER.includes(nameOf(route)),
    );
    expect(await admitting(`Bearer ${service.tokenOf('max')}`, [FORBIDDEN, CONNECTIONS_ONLY])).toEqual(
      forEveryUser.map(nameOf),
    );
  });
});

describe('a new route', () => {
  @Controller('added')
  class AddedController {
    @Get('closed')
    closed(): string {
      return 'for who is signed in';
    }

    @Get('open')
    @Public()
    open(): string {
      return 'for everyone';
    }
  }

  @Module({})
  class AddedModule {}

  let app: NestExpressApplication;
  let url: string;

  beforeAll(async () => {
    app = await NestFactory.create<NestExpressApplication>(
      {
        module: AddedModule,
        imports: [AppModule.register(service.config, UserTypeRule, [], [])],
        controllers: [AddedController],
      },
      { bodyParser: false, logger: false },
    );
    await app.listen(0, '127.0.0.1');
    await app.get(DatabaseStartup).ready();
    url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  });
  afterAll(() => app.close());

  it('is closed by default', async () => {
    expect(await answerOf(url, 'GET', '/added/closed')).toBe(REFUSALS[0]);
    expect(await answerOf(url, 'GET', '/added/closed', `Bearer ${service.serviceToken()}`)).toBe(
      '200 for who is signed in',
    );
  });

  it('is open if it is marked as public', async () => {
    expect(await answerOf(url, 'GET', '/added/open')).toBe('200 for everyone');
  });
});
