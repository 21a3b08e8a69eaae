import { Injectable } from '@nestjs/common';
import { Group } from '../directory/group.entity';
import { toGroupRecord } from '../records/record-bodies';
import { ChangePlaceService } from '../users/change-place.service';
import type { GroupRecordDto } from './dto/group.dto';

/** Changes the name and the permissions of a group. */
@Injectable()
export class ChangeGroupService extends ChangePlaceService<Group, GroupRecordDto> {
  protected readonly kind = 'group';
  protected readonly entity = Group;
  protected readonly toBody = toGroupRecord;
}
