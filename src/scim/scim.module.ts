import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DirectoryModule } from '../directory/directory.module';
import { JournalModule } from '../journal/journal.module';
import { ChangeConnectionService } from './change-connection.service';
import { ChangeScimUserService } from './change-scim-user.service';
import { ConnectionsController } from './connections.controller';
import { ConnectionsReader } from './connections-reader';
import { CreateConnectionService } from './create-connection.service';
import { CreateScimUserService } from './create-scim-user.service';
import { DeleteConnectionService } from './delete-connection.service';
import { DiscoveryController } from './discovery.controller';
import { NotSupportedController } from './not-supported.controller';
import { DeleteScimUserService } from './delete-scim-user.service';
import { ResourceAnswerInterceptor } from './resource-answer.interceptor';
import { RotateTokenService } from './rotate-token.service';
import { ScimAnswerInterceptor } from './scim-answer.interceptor';
import { ScimConnection } from './scim-connection.entity';
import { ScimGuard } from './scim.guard';
import { ScimUsersController } from './scim-users.controller';
import { ScimUsersReader } from './scim-users-reader';
import { UserWrites } from './user-writes';

/** Lets identity providers keep users and groups by SCIM 2.0. It stands on the features, and nothing of them knows it. */
@Module({
  imports: [DirectoryModule, JournalModule, TypeOrmModule.forFeature([ScimConnection])],
  controllers: [ConnectionsController, DiscoveryController, NotSupportedController, ScimUsersController],
  providers: [
    ChangeConnectionService,
    ChangeScimUserService,
    ConnectionsReader,
    CreateConnectionService,
    CreateScimUserService,
    DeleteConnectionService,
    DeleteScimUserService,
    ResourceAnswerInterceptor,
    RotateTokenService,
    ScimAnswerInterceptor,
    ScimGuard,
    ScimUsersReader,
    UserWrites,
  ],
})
export class ScimModule {}
