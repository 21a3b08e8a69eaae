import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import type { Logger } from 'pino';
import { AuditModule } from './audit/audit.module';
import { AuthModule } from './auth/auth.module';
import type { Config } from './config/config';
import { ConfigModule } from './config/config.module';
import { DatabaseModule } from './database/database.module';
import { translateDatabaseError } from './database/sql-errors';
import { DIRECTORY_ENTITIES } from './directory/entities';
import { HealthModule } from './health/health.module';
import { AddressFairUseModule, CallerFairUseModule } from './http/fair-use.module';
import { AnswerStep } from './http/answer.step';
import { HANDLER_STEPS, HandlerStepsInterceptor } from './http/handler-steps.interceptor';
import { HttpModule } from './http/http.module';
import { JsonBodyStep } from './http/json-body.step';
import { LoggingModule } from './http/logging.module';
import { IdempotencyModule } from './idempotency/idempotency.module';
import { IdempotencyStep } from './idempotency/idempotency.step';
import type { UserTypeService } from './users/user-type.service';
import { UsersModule } from './users/users.module';
import { WebhooksModule } from './webhooks/webhooks.module';

/** Around every handler: its body is read, its answer gets its sentence, also where it was given before and is not worked out again. */
const STEPS: Provider[] = [
  {
    provide: HANDLER_STEPS,
    inject: [JsonBodyStep, AnswerStep, IdempotencyStep],
    useFactory: (...steps) => steps,
  },
  { provide: APP_INTERCEPTOR, useClass: HandlerStepsInterceptor },
];

@Module({})
export class AppModule {
  static register(config: Config, logger: Logger, userTypes: Type<UserTypeService>): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.register(config),
        LoggingModule.register(logger),
        DatabaseModule.register(DIRECTORY_ENTITIES),
        HttpModule.register([translateDatabaseError]),
        IdempotencyModule,
        // Guards are asked in the order in which their modules stand here.
        AddressFairUseModule,
        AuthModule,
        CallerFairUseModule,
        HealthModule,
        UsersModule.register(userTypes),
        AuditModule,
        WebhooksModule,
      ],
      providers: STEPS,
    };
  }
}
