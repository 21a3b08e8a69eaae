import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { JournalModule } from '../door';
import { DirectoryModule } from '../../directory/directory.module';
import { AddressClaims } from './address-claims';
import { ChangeConnectionService } from './change-connection.service';
import { ChangeScimGroupService } from './change-scim-group.service';
import { ChangeScimUserService } from './change-scim-user.service';
import { ConnectionsController } from './connections.controller';
import { connectionsEndingWith, ConnectionsReader } from './connections-reader';
import { CreateConnectionService } from './create-connection.service';
import { CreateScimGroupService } from './create-scim-group.service';
import { CreateScimUserService } from './create-scim-user.service';
import { DeleteConnectionService } from './delete-connection.service';
import { DiscoveryController, NotSupportedController } from './discovery.controller';
import { DeleteScimGroupService } from './delete-scim-group.service';
import { DeleteScimUserService } from './delete-scim-user.service';
import { GroupMembers } from './group-members';
import { ResourceAnswers } from './resource-answers';
import { ResourceReader } from './resource-reader';
import { RotateTokenService } from './rotate-token.service';
import { ScimAnswerInterceptor } from './scim-answer.interceptor';
import { ScimConnection } from './scim-connection.entity';
import { UsersModule } from '../../users/users.module';
import { DeletionNotes } from '../../workspaces/deletion-notes';
import { WorkspacesModule } from '../../workspaces/workspaces.module';
import { ScimGuard } from './scim.guard';
import { ScimGroupsController, ScimUsersController } from './resources.controller';
import { UserConflicts } from './user-conflicts';
import { UserPlans } from './user-plans';

/**
 * Lets identity providers provision users and groups by SCIM 2.0. It depends on the features, and no feature depends on
 * it.
 */
@Module({
  imports: [DirectoryModule, JournalModule, UsersModule, WorkspacesModule, TypeOrmModule.forFeature([ScimConnection])],
  controllers: [
    ConnectionsController,
    DiscoveryController,
    NotSupportedController,
    ScimGroupsController,
    ScimUsersController,
  ],
  providers: [
    AddressClaims,
    ChangeConnectionService,
    ChangeScimGroupService,
    ChangeScimUserService,
    ConnectionsReader,
    CreateConnectionService,
    CreateScimGroupService,
    CreateScimUserService,
    DeleteConnectionService,
    DeleteScimGroupService,
    DeleteScimUserService,
    GroupMembers,
    ResourceAnswers,
    ResourceReader,
    RotateTokenService,
    ScimAnswerInterceptor,
    ScimGuard,
    UserConflicts,
    UserPlans,
  ],
})
export class ScimModule {
  constructor(notes: DeletionNotes) {
    notes.add(connectionsEndingWith);
  }
}
