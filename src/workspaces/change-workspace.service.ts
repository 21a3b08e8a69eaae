import { Injectable } from '@nestjs/common';
import { toWorkspaceRecord } from '../directory/record-bodies';
import { Workspace } from '../directory/workspace.entity';
import type { NewEntry } from '../journal/new-entry';
import { ChangePlaceService } from '../users/change-place.service';
import type { WorkspaceRecordDto } from './dto/workspace.dto';

/** Changes the name and the permissions of a workspace. */
@Injectable()
export class ChangeWorkspaceService extends ChangePlaceService<Workspace, WorkspaceRecordDto> {
  protected readonly kind = 'workspace';
  protected readonly entity = Workspace;
  protected readonly toBody = toWorkspaceRecord;

  protected workspacesOf({ id }: Workspace): string[] {
    return [id];
  }

  protected renamed(workspace: Workspace, name: string): NewEntry {
    return {
      action: 'workspace.updated',
      workspaces: this.workspacesOf(workspace),
      before: { name: workspace.name },
      after: { name },
    };
  }
}
