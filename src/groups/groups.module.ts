import { Module } from '@nestjs/common';
import { JournalModule } from '../journal/journal.module';
import { RecordsModule } from '../records/records.module';
import { ChangeGroupService } from './change-group.service';
import { CreateGroupService } from './create-group.service';
import { DeleteGroupService } from './delete-group.service';
import { GroupsController } from './groups.controller';

@Module({
  imports: [JournalModule, RecordsModule],
  controllers: [GroupsController],
  providers: [ChangeGroupService, CreateGroupService, DeleteGroupService],
})
export class GroupsModule {}
