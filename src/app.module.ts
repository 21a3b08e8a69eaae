import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { JournalModule } from './journal/journal.module';
import { AuthModule } from './auth/auth.module';
import { JwtAuthGuard } from './auth/jwt-auth.guard';
import { translateKeyFailure } from './auth/key-failures';
import { ConnectionSlotInterceptor } from './auth/connection-slot.interceptor';
import type { Config } from './config/config';
import { ConfigModule } from './config/config.module';
import { DatabaseModule } from './database/database.module';
import { translateDatabaseError } from './database/refusals';
import { DIRECTORY_ENTITIES } from './directory/entities';
import { ExpiryModule } from './expiry/expiry.module';
import { HealthModule } from './health/health.module';
import { RateLimitGuard } from '@user-administration/http';
import { AnswerInterceptor } from './answers/answer.interceptor';
import { AnswersModule, type ErrorCatalogue } from './answers/answers.module';
import { ServerModule } from './server/server.module';
import { InputInterceptor } from './server/input.interceptor';
import { IdempotencyModule } from './idempotency/idempotency.module';
import { IdempotencyInterceptor } from './idempotency/idempotency.interceptor';
import { MANAGE_STATUS_WORDS } from './users/manage-status.words';
import type { UserTypeRule } from './users/user-type/user-type-rule';
import { PermissionsModule } from './permissions/permissions.module';
import { UserTypeRuleModule } from './users/user-type/user-type-rule.module';
import { UsersModule } from './users/users.module';
import type { AppPart, Plugin } from './plugins/plugin';
import { messagesOf, PluginsModule, rulesOf } from './plugins/plugins.module';
import { WorkspacesModule } from './workspaces/workspaces.module';

/** What the ground cannot do at the moment, as a refusal. */
const translateFailure = (error: unknown) => translateDatabaseError(error) ?? translateKeyFailure(error);

/** Before every handler, in this order: the caller is identified, and counted. */
const GUARDS: Provider[] = [
  { provide: APP_GUARD, useExisting: JwtAuthGuard },
  { provide: APP_GUARD, useExisting: RateLimitGuard },
];

/**
 * Around every handler, outermost first: judging the query and reading the body, completing the answer, waiting for a
 * connection slot, replaying a stored answer.
 */
const INTERCEPTORS: Provider[] = [
  { provide: APP_INTERCEPTOR, useExisting: InputInterceptor },
  { provide: APP_INTERCEPTOR, useExisting: AnswerInterceptor },
  { provide: APP_INTERCEPTOR, useExisting: ConnectionSlotInterceptor },
  { provide: APP_INTERCEPTOR, useExisting: IdempotencyInterceptor },
];

@Module({})
export class AppModule {
  static register(
    config: Config,
    userTypeRule: Type<UserTypeRule>,
    plugins: readonly Plugin[],
    parts: readonly AppPart[],
  ): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.register(config),
        DatabaseModule.register(DIRECTORY_ENTITIES, plugins, rulesOf(plugins)),
        PluginsModule.register(plugins, parts),
        ServerModule,
        AnswersModule.register(translateFailure, {
          words: [MANAGE_STATUS_WORDS],
          forms: parts.flatMap(({ errorForms = [] }) => errorForms),
          sentences: plugins.map(messagesOf),
          errors: Object.assign({}, ...plugins.map(({ errors }) => errors?.catalogue)) as ErrorCatalogue,
        }),
        IdempotencyModule,
        AuthModule,
        HealthModule,
        UserTypeRuleModule.register(userTypeRule),
        UsersModule,
        WorkspacesModule,
        PermissionsModule,
        JournalModule,
        ExpiryModule,
        ...parts.flatMap(({ module }) => module ?? []),
      ],
      providers: [...GUARDS, ...INTERCEPTORS],
    };
  }
}
