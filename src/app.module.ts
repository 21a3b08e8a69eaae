import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { JournalModule } from './journal/journal.module';
import { AuthModule } from './auth/auth.module';
import type { Config } from './config/config';
import { ConfigModule } from './config/config.module';
import { DatabaseModule } from './database/database.module';
import { translateDatabaseError } from './database/sql-errors';
import { DIRECTORY_ENTITIES } from './directory/entities';
import { HealthModule } from './health/health.module';
import { CallerFairUseModule } from './server/fair-use.module';
import { AnswerStep } from './answers/answer.step';
import { HANDLER_STEPS, HandlerStepsInterceptor } from './server/handler-steps.interceptor';
import { AnswersModule } from './answers/answers.module';
import { ServerModule } from './server/server.module';
import { JsonBodyStep } from './server/json-body.step';
import { IdempotencyModule } from './idempotency/idempotency.module';
import { IdempotencyStep } from './idempotency/idempotency.step';
import { MANAGE_STATUS_ENVELOPE } from './users/manage-status.envelope';
import type { UserTypeRule } from './users/user-type.rule';
import { GroupsModule } from './groups/groups.module';
import { PermissionsModule } from './permissions/permissions.module';
import { UsersModule } from './users/users.module';
import { WorkspacesModule } from './workspaces/workspaces.module';
import { RecordStep } from './answers/record.step';
import { WebhookSubscription } from './webhooks/webhook-subscription.entity';
import { WebhooksModule } from './webhooks/webhooks.module';

/** The steps around every handler, outermost first: reading the body, adding the sentence and headers of the answer, replaying a stored answer. */
const STEPS: Provider[] = [
  {
    provide: HANDLER_STEPS,
    inject: [JsonBodyStep, AnswerStep, RecordStep, IdempotencyStep],
    useFactory: (...steps) => steps,
  },
  { provide: APP_INTERCEPTOR, useClass: HandlerStepsInterceptor },
];

@Module({})
export class AppModule {
  static register(config: Config, userTypeRule: Type<UserTypeRule>): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.register(config),
        DatabaseModule.register([...DIRECTORY_ENTITIES, WebhookSubscription]),
        ServerModule,
        AnswersModule.register([translateDatabaseError], [MANAGE_STATUS_ENVELOPE]),
        IdempotencyModule,
        // Guards run in the order of their modules here.
        AuthModule,
        CallerFairUseModule,
        HealthModule,
        UsersModule.register(userTypeRule),
        WorkspacesModule,
        GroupsModule,
        PermissionsModule,
        JournalModule,
        WebhooksModule,
      ],
      providers: STEPS,
    };
  }
}
