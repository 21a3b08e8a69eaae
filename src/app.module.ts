import { type DynamicModule, Module, type Type } from '@nestjs/common';
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
import { HttpModule } from './http/http.module';
import { LoggingModule } from './http/logging.module';
import { IdempotencyModule } from './idempotency/idempotency.module';
import type { UserTypeService } from './users/user-type.service';
import { UsersModule } from './users/users.module';
import { WebhooksModule } from './webhooks/webhooks.module';

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
    };
  }
}
