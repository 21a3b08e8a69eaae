import { Module } from '@nestjs/common';
import { JournalModule } from '../journal/journal.module';
import { RecordsModule } from '../records/records.module';
import { UsersModule } from '../users/users.module';
import { ChangePlaceService } from './change-place.service';
import { CreatePlaceService } from './create-place.service';
import { DeletePlaceService } from './delete-place.service';
import { DeletionNotes } from './deletion-notes';
import { GroupsController } from './groups.controller';
import { WorkspacesController } from './workspaces.controller';

const SERVICES = [ChangePlaceService, CreatePlaceService, DeletePlaceService, DeletionNotes];

/** Workspaces and their groups. */
@Module({
  imports: [JournalModule, RecordsModule, UsersModule],
  controllers: [WorkspacesController, GroupsController],
  providers: SERVICES,
  exports: SERVICES,
})
export class WorkspacesModule {}
