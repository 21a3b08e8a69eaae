import {
  ConfigurableModuleBuilder,
  type ConfigurableModuleCls,
  type DynamicModule,
  Module,
  type Provider,
} from '@nestjs/common';
import { UserAdministrationClient } from '../user-administration-client.ts';
import { ActiveUsersFollower } from './active-users.follower.ts';
import { clientToken, followerToken, healthToken } from './injection-tokens.ts';
import type { ModuleExtras, UserAdministrationOptions } from './user-administration.options.ts';
import { UserAdministrationHealth } from './user-administration.health.ts';

const host = new ConfigurableModuleBuilder<UserAdministrationOptions>()
  .setClassMethodName('forRoot')
  .setFactoryMethodName('createUserAdministrationOptions')
  .setExtras<ModuleExtras>({ isGlobal: false, name: undefined }, (definition, { isGlobal, name }) => ({
    ...definition,
    global: isGlobal,
    providers: [...(definition.providers ?? []), ...providersOf(name)],
    exports: [...(definition.exports ?? []), ...exportsOf(name)],
  }))
  .build();

const ConfigurableModuleClass: ConfigurableModuleCls<
  UserAdministrationOptions,
  'forRoot',
  'createUserAdministrationOptions',
  ModuleExtras
> = host.ConfigurableModuleClass;

/**
 * Provides `UserAdministrationClient`, `UserAdministrationHealth`, and the status of users for `ActiveUserGuard`.
 *
 * @example
 * UserAdministrationModule.forRootAsync({
 *   inject: [ConfigService],
 *   useFactory: (config: ConfigService) => ({
 *     baseUrl: config.getOrThrow('USERS_URL'),
 *     token: clientCredentials({
 *       tokenUrl: config.getOrThrow('TOKEN_URL'),
 *       clientId: config.getOrThrow('CLIENT_ID'),
 *       clientSecret: config.getOrThrow('CLIENT_SECRET'),
 *       scope: 'users:read',
 *     }),
 *   }),
 * })
 */
@Module({})
export class UserAdministrationModule extends ConfigurableModuleClass {}

function providersOf(name: string | undefined): Provider[] {
  const client = clientToken(name) as string;
  const follower = followerToken(name) as string;
  return [
    {
      provide: client,
      inject: [host.MODULE_OPTIONS_TOKEN],
      useFactory: ({ activeUsers, ...options }: UserAdministrationOptions) => new UserAdministrationClient(options),
    },
    {
      provide: follower,
      inject: [client, host.MODULE_OPTIONS_TOKEN],
      useFactory: (made: UserAdministrationClient, { activeUsers }: UserAdministrationOptions) =>
        new ActiveUsersFollower(made, activeUsers),
    },
    {
      provide: healthToken(name) as string,
      inject: [client, follower],
      useFactory: (made: UserAdministrationClient, follows: ActiveUsersFollower) =>
        new UserAdministrationHealth(made, follows),
    },
  ];
}

function exportsOf(name: string | undefined): NonNullable<DynamicModule['exports']> {
  return [clientToken(name), followerToken(name), healthToken(name)] as string[];
}
