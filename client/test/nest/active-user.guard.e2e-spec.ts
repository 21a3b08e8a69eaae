import { type CanActivate, Controller, type ExecutionContext, Get, Injectable, UseGuards } from '@nestjs/common';
import type { INestApplication } from '@nestjs/common';
import { Logger } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host';
import { Test } from '@nestjs/testing';
import { ActiveUsersFollower } from '../../src/nest/active-users.follower.ts';
import { ActiveUserGuard, UserAdministrationModule } from '../../src/nest/index.ts';
import { FollowedService } from '../support/followed-service.ts';
import { until } from '../support/until.ts';

/** Replaces the guard that verifies tokens, and trusts the headers. */
class SignInGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ headers: Record<string, string>; user: object }>();
    request.user = { sub: request.headers['x-user'], client: request.headers['x-client'] };
    return true;
  }
}

/** Recognizes services, which are not users. */
@Injectable()
class OwnGuard extends ActiveUserGuard {
  protected override userIdOf(context: ExecutionContext): string | null | undefined {
    const { user } = context.switchToHttp().getRequest<{ user: { client?: string } }>();
    return user.client === undefined ? super.userIdOf(context) : null;
  }
}

@Controller()
@UseGuards(SignInGuard)
class AppController {
  @Get('guarded')
  @UseGuards(ActiveUserGuard)
  guarded(): string {
    return 'in';
  }

  @Get('own')
  @UseGuards(OwnGuard)
  own(): string {
    return 'in';
  }
}

let service: FollowedService;
let app: INestApplication | undefined;
let url = '';
let passed = 0;
const now = performance.now.bind(performance);

beforeEach(async () => {
  jest.spyOn(performance, 'now').mockImplementation(() => now() + passed);
  service = await FollowedService.start({ ada: 'active', ben: 'inactive' });
});
afterEach(async () => {
  await app?.close();
  app = undefined;
  await service.kill();
});

async function start(activeUsers: object = {}): Promise<void> {
  const module = await Test.createTestingModule({
    imports: [UserAdministrationModule.forRoot({ isGlobal: true, baseUrl: service.url, token: 'token', activeUsers })],
    controllers: [AppController],
  }).compile();
  app = module.createNestApplication({ logger: false });
  await app.listen(0, '127.0.0.1');
  url = await app.getUrl();
}

async function enter(user: string, path = 'guarded', headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(`${url}/${path}`, { headers: { ...(user && { 'x-user': user }), ...headers } });
  return `${response.status} ${((await response.json().catch(() => ({}))) as { message?: string }).message ?? ''}`.trim();
}

describe('ActiveUserGuard', () => {
  it('admits active and refuses inactive users, from the first request on', async () => {
    await start();
    expect(await enter('ada')).toBe('200');
    expect(await enter('ben')).toBe('401 This user is not active.');
    // An id without a record belongs to a service, which this guard does not judge.
    expect(await enter('a-service')).toBe('200');
  });

  it('refuses a deactivated or deleted user without a request to the service', async () => {
    await start();
    service.set('ada', 'inactive');
    service.delete('cyd');
    service.set('ben', 'active');
    await until(() => service.asked.filter((path) => path.includes('after=3')).length > 0);
    expect([await enter('ada'), await enter('ben'), await enter('cyd')].map((answer) => answer.slice(0, 3))).toEqual([
      '401',
      '200',
      '401',
    ]);
    expect(service.asked.filter((path) => path.startsWith('/api/users/'))).toEqual([]);
  });

  it('refuses a caller without an id', async () => {
    await start();
    expect(await enter('')).toBe('401 Unauthorized');
  });

  it.each(['rpc', 'ws', 'graphql'])(
    'refuses a caller outside HTTP, unless an override tells who it is: %s',
    async (type) => {
      await start();
      const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
      // The sender of a message chooses what is in it.
      const context = new ExecutionContextHost([{ user: { sub: 'ada' } }]);
      context.setType(type);
      const guard = (app as INestApplication).get(ActiveUserGuard);
      expect(() => guard.canActivate(context)).toThrow('Unauthorized');
      expect(warned.mock.calls).toEqual([[expect.stringContaining('Override userIdOf.')]]);
      warned.mockRestore();
      class Told extends ActiveUserGuard {
        protected override userIdOf(): string {
          return 'ada';
        }
      }
      const told = new Told((app as INestApplication).get(ActiveUsersFollower));
      expect(told.canActivate(context)).toBe(true);
    },
  );

  it('admits a caller that an override declares not to be a user', async () => {
    await start();
    expect(await enter('ben', 'own', { 'x-client': 'billing' })).toBe('200');
    expect(await enter('ben', 'own')).toBe('401 This user is not active.');
  });

  it('refuses all users when the service does not answer', async () => {
    await start();
    await service.kill();
    passed += 5_000;
    expect(await enter('ada')).toBe('503 The status of users is not available at the moment. Please try again.');
    expect(await enter('ben')).toMatch(/^503/);
  });

  it('asks the service about each user instead, with whenSilent ask', async () => {
    await start({ whenSilent: 'ask' });
    expect(await enter('ada')).toBe('200');
    expect(service.asked.filter((path) => path.startsWith('/api/users/'))).toEqual([]);
    // Only the feed is silent; the other routes answer.
    service.feedSilent = true;
    passed += 5_000;
    expect(await enter('ada')).toBe('200');
    expect(await enter('ben')).toBe('401 This user is not active.');
    expect(await enter('nobody')).toBe('401 This user is not active.');
    expect(service.asked.filter((path) => path.startsWith('/api/users/'))).toHaveLength(3);
    await service.kill();
    expect(await enter('ada')).toMatch(/^503/);
  });

  it('refuses all users in an app that starts before the service, until the service answers', async () => {
    await service.kill();
    await start({ startWithinMs: 50 });
    expect(await enter('ada')).toMatch(/^503/);
    await service.listen();
    await until(() => service.asked.some((path) => path.includes('wait=1')));
    expect(await enter('ada')).toBe('200');
  }, 30_000);
});
