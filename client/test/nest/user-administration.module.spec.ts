import { Controller, Get, Global, Inject, Injectable, Module, UseGuards } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  ActiveUserGuard,
  clientToken,
  healthToken,
  InjectUserAdministration,
  UserAdministrationHealth,
  UserAdministrationModule,
} from '../../src/nest/index.ts';
import { ActiveUsersFollower } from '../../src/nest/active-users.follower.ts';
import { UserAdministrationClient } from '../../src/user-administration-client.ts';
import { FollowedService } from '../support/followed-service.ts';

const options = { baseUrl: 'http://users.example', token: 'token' };

@Injectable()
class Starters {
  constructor(
    @Inject(UserAdministrationClient) readonly users: UserAdministrationClient,
    @InjectUserAdministration('partners') readonly partners: UserAdministrationClient,
  ) {}
}

describe('UserAdministrationModule', () => {
  it.each([{ timeout: 5 }, { activeUsers: { silentAfter: 5_000 } }])(
    'refuses unknown options: %j',
    async (misspelt) => {
      const module = Test.createTestingModule({
        imports: [UserAdministrationModule.forRoot({ ...options, ...(misspelt as object) })],
      });
      await expect(module.compile()).rejects.toMatchObject({
        code: 'client.option_invalid',
        detail: expect.stringMatching(/^There is no option "(timeout|silentAfter)" here\. The options are /) as string,
      });
    },
  );

  it('provides the client by class and by name', async () => {
    const partners = { baseUrl: 'http://partners.example', token: 'token' };
    const module = await Test.createTestingModule({
      imports: [
        UserAdministrationModule.forRoot(options),
        UserAdministrationModule.forRoot({ ...partners, name: 'partners' }),
      ],
      providers: [Starters],
    }).compile();
    const starters = module.get(Starters);
    expect(starters.users).toBeInstanceOf(UserAdministrationClient);
    expect(starters.partners).toBeInstanceOf(UserAdministrationClient);
    expect(starters.partners).not.toBe(starters.users);
    expect(module.get(clientToken('partners'))).toBe(starters.partners);
    expect(module.get(healthToken('partners'))).toBeInstanceOf(UserAdministrationHealth);
  });

  it('takes asynchronous options, also as a global module', async () => {
    @Global()
    @Module({ providers: [{ provide: 'URL', useValue: options.baseUrl }], exports: ['URL'] })
    class ConfigModule {}
    @Module({
      providers: [{ provide: 'FEATURE', inject: [UserAdministrationClient], useFactory: (client: object) => client }],
    })
    class FeatureModule {}
    const module = await Test.createTestingModule({
      imports: [
        ConfigModule,
        FeatureModule,
        UserAdministrationModule.forRootAsync({
          isGlobal: true,
          inject: ['URL'],
          useFactory: (baseUrl: string) => Promise.resolve({ baseUrl, token: () => 'token' }),
        }),
      ],
    }).compile();
    expect(module.get('FEATURE', { strict: false })).toBeInstanceOf(UserAdministrationClient);
  });

  it('fails to start with invalid options', async () => {
    const module = Test.createTestingModule({
      imports: [UserAdministrationModule.forRoot({ ...options, baseUrl: 'nowhere' })],
    });
    await expect(module.compile()).rejects.toMatchObject({ code: 'client.option_invalid' });
  });

  it('provides guards by name', async () => {
    const service = await FollowedService.start({});
    @Controller()
    class AppController {
      @Get()
      @UseGuards(ActiveUserGuard.of('partners'))
      get(): string {
        return 'in';
      }
    }
    const module = await Test.createTestingModule({
      imports: [UserAdministrationModule.forRoot({ baseUrl: service.url, token: 'token', name: 'partners' })],
      controllers: [AppController],
    }).compile();
    await module.init();
    expect(service.asked.some((path) => path.includes('status=inactive'))).toBe(true);
    await module.close();
    await service.kill();
  });

  it('does not follow the journal in an app that is never initialized, and so never closed', async () => {
    const service = await FollowedService.start({});
    @Controller()
    @UseGuards(ActiveUserGuard)
    class AppController {}
    const module = await Test.createTestingModule({
      imports: [UserAdministrationModule.forRoot({ baseUrl: service.url, token: 'token' })],
      controllers: [AppController],
    }).compile();
    await module.get(UserAdministrationClient).health.ready();
    expect(service.asked).toEqual(['/health/ready']);
    await service.kill();
  });
});

describe('the health indicator', () => {
  it('reports whether the service is ready', async () => {
    const service = await FollowedService.start({});
    const module = await Test.createTestingModule({
      imports: [UserAdministrationModule.forRoot({ baseUrl: service.url, token: 'token' })],
    }).compile();
    await module.init();
    const health = module.get(UserAdministrationHealth);
    expect(await health.isHealthy('users')).toEqual({ users: { status: 'up' } });
    // Without a guard, nothing else is requested.
    expect(service.asked).toEqual(['/health/ready']);
    await service.kill();
    expect(await health.isHealthy('users')).toEqual({
      users: { status: 'down', reason: expect.stringContaining('ECONNREFUSED') as string },
    });
    await module.close();
  });

  it('reports in an app with guards that the status of users is not current', async () => {
    const service = await FollowedService.start({});
    const client = new UserAdministrationClient({ baseUrl: service.url, token: 'token' });
    const follower = new ActiveUsersFollower(client);
    follower.use();
    expect(await new UserAdministrationHealth(client, follower).isHealthy('users')).toEqual({
      users: { status: 'down', reason: 'The status of users is not current.' },
    });
    await service.kill();
  });
});
