import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module';
import { DirectoryModule } from '../directory/directory.module';
import { Workspace } from '../directory/workspace.entity';
import { ListWorkspacesService } from './list-workspaces.service';
import { ReadWorkspaceService } from './read-workspace.service';
import { WorkspacesController } from './workspaces.controller';

@Module({
  imports: [AuthModule, DirectoryModule, TypeOrmModule.forFeature([Workspace])],
  controllers: [WorkspacesController],
  providers: [ListWorkspacesService, ReadWorkspaceService],
})
export class WorkspacesModule {}
