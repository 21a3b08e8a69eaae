// An app that uses the packed package with one version of Nest. It is compiled and run as CommonJS and as ES modules.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  Module,
  UseGuards,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { clientCredentials, UserAdministrationClient, UserAdministrationError } from '@user-administration/client';
import {
  ActiveUserGuard,
  UserAdministrationHealth,
  UserAdministrationModule,
  UserEvent,
  UserEventsModule,
} from '@user-administration/client/nest';
import { signWebhook, type WebhookEvent } from '@user-administration/client/webhooks';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** No change is without its entry. */
const NONE = { active: [], inactive: [] };

/** The routes of the service that this app calls. */
const service = createServer((request, response) => {
  const path = request.url ?? '';
  const answers: [RegExp, number, object][] = [
    [/^\/token/, 200, { access_token: 'granted', expires_in: 60 }],
    [/^\/health\/ready/, 200, { status: 'ok' }],
    [/^\/api\/journal\?.*after=/, 200, { entries: [], next: '1', statuses: NONE }],
    [/^\/api\/journal/, 200, { entries: [], next: null, statuses: NONE }],
    [/^\/api\/users\?status=inactive/, 200, { users: [{ id: 'ben' }], next: null }],
    [
      /^\/api\/users\/workspace-assign/,
      400,
      { status: 400, code: 'user.invalid', detail: 'Please select a valid User.' },
    ],
  ];
  const [, status, body] = answers.find(([form]) => form.test(path)) ?? [/$/, 404, {}];
  const wait = Number(/wait=(\d+)/.exec(path)?.[1] ?? 0) * 1_000;
  const type = status === 200 ? 'application/json' : 'application/problem+json';
  setTimeout(() => response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body)), wait);
});

class SignInGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ headers: Record<string, string>; user: object }>();
    request.user = { sub: request.headers['x-user'] };
    return true;
  }
}

@Injectable()
class Sessions {
  readonly closed: (string | null)[] = [];

  @UserEvent('user.status.changed')
  close(event: WebhookEvent<'user.status.changed'>): void {
    if (event.data.after?.status === 'inactive') this.closed.push(event.data.user);
  }
}

@Controller()
class AppController {
  @Get()
  @UseGuards(SignInGuard, ActiveUserGuard)
  get(): string {
    return 'in';
  }
}

async function main(): Promise<void> {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;

  @Module({
    imports: [
      UserAdministrationModule.forRootAsync({
        isGlobal: true,
        useFactory: () => ({
          baseUrl,
          token: clientCredentials({ tokenUrl: `${baseUrl}/token`, clientId: 'a', clientSecret: 'b' }),
        }),
      }),
      UserEventsModule.forRoot({ path: 'hooks/users', secrets: secret }),
    ],
    controllers: [AppController],
    providers: [Sessions],
  })
  class AppModule {}

  const app = await NestFactory.create(AppModule, { logger: ['error'] });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const enter = async (user: string) => (await fetch(url, { headers: { 'x-user': user } })).status;
  assert.deepEqual([await enter('ada'), await enter('ben')], [200, 401]);

  const event = signWebhook(secret, { type: 'user.status.changed', user: 'ben', after: { status: 'inactive' } });
  assert.equal((await fetch(`${url}/hooks/users`, event)).status, 204);
  assert.deepEqual(app.get(Sessions).closed, ['ben']);

  assert.deepEqual(await app.get(UserAdministrationHealth).isHealthy('users'), { users: { status: 'up' } });
  const failure: unknown = await app
    .get(UserAdministrationClient)
    .users.assignWorkspaces({ userIds: ['nobody'], workspaces: ['atlas'] })
    .catch((error: unknown) => error);
  assert.ok(failure instanceof UserAdministrationError);
  assert.equal(failure.code, 'user.invalid');

  await app.close();
  service.closeAllConnections();
  service.close();
}

main().then(
  () => console.log('ok'),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
