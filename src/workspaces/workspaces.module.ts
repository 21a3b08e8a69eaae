import { Module } from '@nestjs/common';
import { JournalModule } from '../journal/journal.module';
import { RecordsModule } from '../records/records.module';
import { ChangeWorkspaceService } from './change-workspace.service';
import { CreateWorkspaceService } from './create-workspace.service';
import { DeleteWorkspaceService } from './delete-workspace.service';
import { WorkspacesController } from './workspaces.controller';

@Module({
  imports: [JournalModule, RecordsModule],
  controllers: [WorkspacesController],
  providers: [ChangeWorkspaceService, CreateWorkspaceService, DeleteWorkspaceService],
})
export class WorkspacesModule {}
