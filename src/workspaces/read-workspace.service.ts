import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { WorkspaceBody, WithPermissions } from '../contract/records';
import { findRecord } from '../directory/find-record';
import { Workspace } from '../directory/workspace.entity';
import { toWorkspaceRecord } from '../directory/record-bodies';

/** Reads one workspace, with its permissions. */
@Injectable()
export class ReadWorkspaceService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async execute(id: string): Promise<WithPermissions<WorkspaceBody>> {
    return toWorkspaceRecord(await findRecord(this.dataSource.manager, Workspace, id));
  }
}
