import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request, type Server } from 'node:http';
import {
  Body,
  Controller,
  GoneException,
  type INestApplication,
  Injectable,
  Logger,
  Module,
  Post,
  Scope,
  type Type,
} from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { makeSecret } from '../../../src/plugins/webhooks/signature';
import { UserEvent, UserEventsModule } from '../../src/nest/index.ts';
import { rawBody } from '../../src/nest/raw-body.ts';
import { signWebhook } from '../../src/webhooks/sign-webhook.ts';
import type { WebhookEvent } from '../../src/webhooks/webhook-event.ts';

const secret = makeSecret();
const deactivation = { type: 'user.status.changed', user: 'ben', after: { status: 'inactive' } } as const;

let heard: string[] = [];
let failure: Error | undefined;

@Module({ providers: [{ provide: 'SECRET', useValue: secret }], exports: ['SECRET'] })
class SecretModule {}

@Injectable()
class Sessions {
  private readonly name = 'sessions';

  @UserEvent('user.status.changed')
  close({ data }: WebhookEvent<'user.status.changed'>): void {
    if (failure) throw failure;
    heard.push(`${this.name}: ${data.user} is ${data.after?.status}`);
  }

  @UserEvent('user.type.changed', 'user.workspaces.assigned')
  async note({ type }: WebhookEvent): Promise<void> {
    await Promise.resolve();
    heard.push(type);
  }
}

@Controller()
class AppController {
  @Post('plain')
  plain(@Body() body: object): object {
    return body;
  }

  @UserEvent()
  everything({ id }: WebhookEvent): void {
    heard.push(`everything: ${id}`);
  }
}

let app: INestApplication | undefined;
let url = '';

async function start(prepare: (app: NestExpressApplication) => void = () => undefined, options = {}): Promise<void> {
  const module = await Test.createTestingModule({
    imports: [
      UserEventsModule.forRootAsync({
        path: 'hooks/users',
        imports: [SecretModule],
        inject: ['SECRET'],
        useFactory: (secrets: string) => ({ secrets }),
      }),
    ],
    controllers: [AppController as Type],
    providers: [Sessions, { provide: 'the same instance', useExisting: Sessions }],
  }).compile();
  const made = module.createNestApplication<NestExpressApplication>({ logger: false, ...options });
  prepare(made);
  app = made;
  await made.listen(0, '127.0.0.1');
  url = await made.getUrl();
}

beforeEach(() => {
  heard = [];
  failure = undefined;
});
afterEach(async () => {
  const closed = app?.close();
  // A connection whose request was refused before its end would stay open for five seconds.
  (app?.getHttpServer() as Server | undefined)?.closeAllConnections();
  await closed;
});

const send = async (init: RequestInit, path = 'hooks/users') => (await fetch(`${url}/${path}`, init)).status;

describe('UserEventsModule', () => {
  it('calls the methods for an event once, even if it arrives several times', async () => {
    await start();
    const delivery = signWebhook(secret, { ...deactivation, id: 'msg_1' });
    expect([await send(delivery), await send(delivery)]).toEqual([204, 204]);
    expect(heard.sort()).toEqual(['everything: msg_1', 'sessions: ben is inactive']);
  });

  it('receives the deletion of a user who was in 100,000 workspaces', async () => {
    await start();
    const workspaces = Array.from({ length: 100_000 }, () => randomUUID());
    const facts = { email: null, displayName: null, permissions: [], workspaces, groups: [] };
    const before = { ...facts, status: 'active' as const };
    const delivery = signWebhook(secret, { type: 'user.deleted', user: 'ben', workspaces, before, id: 'msg_2' });
    expect(await send(delivery)).toBe(204);
    expect(heard).toEqual(['everything: msg_2']);
  });

  it.each([
    ['an error', new Error('no disk')],
    ['an answer that would disable the webhook', new GoneException('The invitation has expired.')],
    [
      'such an answer of http-errors',
      Object.assign(new Error('Gone.'), { expose: true, status: 410, statusCode: 410 }),
    ],
  ])('answers 500 when a method throws %s, so that the service retries', async (_, thrown) => {
    await start();
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const delivery = signWebhook(secret, { ...deactivation, id: 'msg_2' });
    failure = thrown;
    expect(await send(delivery)).toBe(500);
    expect(String(logged.mock.calls)).toContain(thrown.message);
    failure = undefined;
    expect(await send(delivery)).toBe(204);
    expect(heard).toContain('sessions: ben is inactive');
  });

  it('refuses a body that the service did not sign', async () => {
    await start();
    const delivery = signWebhook(makeSecret(), deactivation);
    expect(await send(delivery)).toBe(401);
    expect(await send({ method: 'POST', body: '{}' })).toBe(401);
    expect(heard).toEqual([]);
  });

  it('leaves the bodies of other routes to the app', async () => {
    await start();
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}/plain`, { method: 'POST', headers, body: '{"a":1}' });
    expect(await response.json()).toEqual({ a: 1 });
  });

  it('works with a global prefix', async () => {
    await start((made) => void made.setGlobalPrefix('v1'));
    expect(await send(signWebhook(secret, deactivation), 'v1/hooks/users')).toBe(204);
  });

  it('works in an app that parses every body, with rawBody', async () => {
    await start((made) => void made.useBodyParser('json', { type: () => true }), { rawBody: true });
    expect(await send(signWebhook(secret, deactivation))).toBe(204);
  });

  it('gives the same hint in an app on Fastify, whose request is no stream', () => {
    const request = { raw: {}, headers: {}, body: {} } as unknown as IncomingMessage;
    expect(() => rawBody(request)).toThrow('Create the app with { rawBody: true }.');
  });

  it('logs a hint in such an app without rawBody', async () => {
    await start((made) => void made.useBodyParser('json', { type: () => true }));
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    expect(await send(signWebhook(secret, deactivation))).toBe(500);
    expect(String(logged.mock.calls)).toContain('{ rawBody: true }');
  });

  it.each([Scope.REQUEST, Scope.TRANSIENT])('refuses a method that it could not call: scope %i', async (scope) => {
    @Injectable({ scope })
    class Unreachable {
      @UserEvent()
      on(): void {
        heard.push('unreachable');
      }
    }
    const imports = [UserEventsModule.forRoot({ secrets: secret })];
    const module = await Test.createTestingModule({ imports, providers: [Unreachable] }).compile();
    await expect(module.init()).rejects.toThrow(/^Unreachable has a method with @UserEvent.*singleton/);
    await module.close();
  });

  it('stops reading a body that is too large', async () => {
    await start();
    const body = 'x'.repeat(17 * 1024 * 1024);
    expect(await send({ ...signWebhook(secret, deactivation), body })).toBe(413);
  });

  it.each<[string, Record<string, string | string[] | undefined>]>([
    ['no id', { 'webhook-id': undefined }],
    ['an id that is none', { 'webhook-id': 'a b' }],
    ['two ids', { 'webhook-id': ['msg_1', 'msg_2'] }],
    ['no time', { 'webhook-timestamp': undefined }],
    ['a time that is none', { 'webhook-timestamp': '1e9' }],
    ['an old time', { 'webhook-timestamp': String(Math.floor(Date.now() / 1_000) - 301) }],
    ['a time to come', { 'webhook-timestamp': String(Math.floor(Date.now() / 1_000) + 400) }],
    ['no signature', { 'webhook-signature': undefined }],
    ['a signature of another version', { 'webhook-signature': `v1a,${'A'.repeat(43)}=` }],
    ['a signature that is none', { 'webhook-signature': 'v1,AAAA' }],
  ])('refuses a request by its headers, and reads nothing of its body: %s', async (_, spoilt) => {
    await start();
    const { headers } = signWebhook(secret, deactivation);
    const entries = Object.entries({ ...headers, 'content-length': '1000000', ...spoilt });
    const given = Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as OutgoingHttpHeaders;
    const unsent = request(`${url}/hooks/users`, { method: 'POST', headers: given });
    unsent.on('error', () => undefined).flushHeaders();
    const [{ statusCode }] = (await once(unsent, 'response')) as [IncomingMessage];
    unsent.destroy();
    expect(statusCode).toBe(401);
  });
});
