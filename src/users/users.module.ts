import { Inject, Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { CONFIG, type Config } from '../config/config';
import { DatabaseStartup } from '../database/database-startup';
import { Transactions } from '../database/transactions';
import { DirectoryModule } from '../directory/directory.module';
import { JournalModule } from '../journal/journal.module';
import { RecordsModule } from '../records/records.module';
import { AssignStatusesService } from './assign-statuses.service';
import { AssignWorkspacesService } from './assign-workspaces.service';
import { ChangePermissionsService } from './change-permissions.service';
import { ChangeUserService } from './change-user.service';
import { CreateUserService } from './create-user.service';
import { DeleteUserService } from './delete-user.service';
import { ExplainPermissionsService } from './explain-permissions.service';
import { ManageStatusService } from './manage-status.service';
import { MintStatusTokenService } from './mint-status-token.service';
import { RenameUserService } from './rename-user.service';
import { StatusGrants } from './status-grants.service';
import { UnassignUsersService } from './unassign-users.service';
import { UndoController } from './undo.controller';
import { UndoRequestService } from './undo-request.service';
import { AffectedTypes } from './user-type/affected-types.service';
import { ownUserTypes } from './user-type/user-type-owner';
import { UserTypeService } from './user-type/user-type.service';
import { CallerController } from './caller.controller';
import { ReadCallerService } from './read-caller.service';
import { ReadMembershipsService } from './read-memberships.service';
import { UserRecordsController } from './user-records.controller';
import { UsersController } from './users.controller';

/** The actor of the types that a take-over derives anew. */
const TAKE_OVER = { actor: { kind: 'system', id: 'user-admin take-over' } } as const;

@Module({
  imports: [AuthModule, DirectoryModule, JournalModule, RecordsModule],
  controllers: [CallerController, UndoController, UsersController, UserRecordsController],
  providers: [
    AffectedTypes,
    AssignStatusesService,
    AssignWorkspacesService,
    ChangePermissionsService,
    ChangeUserService,
    CreateUserService,
    DeleteUserService,
    ExplainPermissionsService,
    ManageStatusService,
    MintStatusTokenService,
    ReadCallerService,
    ReadMembershipsService,
    RenameUserService,
    StatusGrants,
    UnassignUsersService,
    UndoRequestService,
    UserTypeService,
  ],
  exports: [
    AffectedTypes,
    AssignStatusesService,
    AssignWorkspacesService,
    ChangeUserService,
    CreateUserService,
    RenameUserService,
    UnassignUsersService,
    UserTypeService,
  ],
})
export class UsersModule {
  constructor(
    startup: DatabaseStartup,
    transactions: Transactions,
    types: AffectedTypes,
    @Inject(CONFIG) config: Config,
  ) {
    startup.beforeServing(() =>
      transactions.run((manager) => ownUserTypes(manager, types, TAKE_OVER, config.takesOverUserTypes)),
    );
  }
}
