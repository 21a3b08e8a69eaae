import { Injectable } from '@nestjs/common';
import { toWorkspaceRecord } from '../records/record-bodies';
import { Workspace } from '../directory/workspace.entity';
import { ChangePlaceService } from '../users/change-place.service';
import type { WorkspaceRecordDto } from './dto/workspace.dto';

/** Changes the name and the permissions of a workspace. */
@Injectable()
export class ChangeWorkspaceService extends ChangePlaceService<Workspace, WorkspaceRecordDto> {
  protected readonly kind = 'workspace';
  protected readonly entity = Workspace;
  protected readonly toBody = toWorkspaceRecord;
}
