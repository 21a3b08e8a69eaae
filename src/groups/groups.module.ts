import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module';
import { DirectoryModule } from '../directory/directory.module';
import { Group } from '../directory/group.entity';
import { JournalModule } from '../journal/journal.module';
import { ChangeGroupService } from './change-group.service';
import { CreateGroupService } from './create-group.service';
import { DeleteGroupService } from './delete-group.service';
import { ListGroupsService } from './list-groups.service';
import { ReadGroupService } from './read-group.service';
import { GroupsController } from './groups.controller';

@Module({
  imports: [AuthModule, DirectoryModule, JournalModule, TypeOrmModule.forFeature([Group])],
  controllers: [GroupsController],
  providers: [ChangeGroupService, CreateGroupService, DeleteGroupService, ListGroupsService, ReadGroupService],
})
export class GroupsModule {}
