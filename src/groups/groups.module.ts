import { Module } from '@nestjs/common';
import { RecordsModule } from '../records/records.module';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { GroupsController } from './groups.controller';

@Module({ imports: [RecordsModule, WorkspacesModule], controllers: [GroupsController] })
export class GroupsModule {}
