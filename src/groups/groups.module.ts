import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module';
import { DirectoryModule } from '../directory/directory.module';
import { Group } from '../directory/group.entity';
import { ListGroupsService } from './list-groups.service';
import { ReadGroupService } from './read-group.service';
import { GroupsController } from './groups.controller';

@Module({
  imports: [AuthModule, DirectoryModule, TypeOrmModule.forFeature([Group])],
  controllers: [GroupsController],
  providers: [ListGroupsService, ReadGroupService],
})
export class GroupsModule {}
