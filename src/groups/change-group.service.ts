import { Injectable } from '@nestjs/common';
import { Group } from '../directory/group.entity';
import { toGroupRecord } from '../directory/record-bodies';
import type { NewEntry } from '../journal/new-entry';
import { ChangePlaceService } from '../users/change-place.service';
import type { GroupRecordDto } from './dto/group.dto';

/** Changes the name and the permissions of a group. */
@Injectable()
export class ChangeGroupService extends ChangePlaceService<Group, GroupRecordDto> {
  protected readonly kind = 'group';
  protected readonly entity = Group;
  protected readonly toBody = toGroupRecord;

  protected workspacesOf({ workspace }: Group): string[] {
    return [workspace?.id ?? ''];
  }

  protected renamed(group: Group, name: string): NewEntry {
    return {
      action: 'group.updated',
      workspaces: this.workspacesOf(group),
      before: { group: group.id, name: group.name },
      after: { group: group.id, name },
    };
  }
}
