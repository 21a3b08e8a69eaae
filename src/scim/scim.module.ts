import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { JournalModule } from '../journal/journal.module';
import { ChangeConnectionService } from './change-connection.service';
import { ConnectionsController } from './connections.controller';
import { ConnectionsReader } from './connections-reader';
import { CreateConnectionService } from './create-connection.service';
import { DeleteConnectionService } from './delete-connection.service';
import { DiscoveryController } from './discovery.controller';
import { NotSupportedController } from './not-supported.controller';
import { RotateTokenService } from './rotate-token.service';
import { ScimAnswerInterceptor } from './scim-answer.interceptor';
import { ScimConnection } from './scim-connection.entity';
import { ScimGuard } from './scim.guard';

/** Lets identity providers keep users and groups by SCIM 2.0. It stands on the features, and nothing of them knows it. */
@Module({
  imports: [JournalModule, TypeOrmModule.forFeature([ScimConnection])],
  controllers: [ConnectionsController, DiscoveryController, NotSupportedController],
  providers: [
    ChangeConnectionService,
    ConnectionsReader,
    CreateConnectionService,
    DeleteConnectionService,
    RotateTokenService,
    ScimAnswerInterceptor,
    ScimGuard,
  ],
})
export class ScimModule {}
