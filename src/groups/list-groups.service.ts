import { Injectable } from '@nestjs/common';
import { Group } from '../directory/group.entity';
import { inWorkspace } from '../directory/list-filters';
import { toGroupBody } from '../directory/record-bodies';
import { RecordReader } from '../directory/record-reader';
import type { ListGroupsDto } from './dto/list-groups.dto';
import type { GroupPageDto } from './dto/group.dto';

/** Lists groups. All given filters must match. */
@Injectable()
export class ListGroupsService {
  constructor(private readonly records: RecordReader) {}

  async execute(query: ListGroupsDto): Promise<GroupPageDto> {
    const { workspace } = query;
    const filters = workspace ? [inWorkspace(workspace)] : [];
    const page = await this.records.page(Group, query, filters);
    return { groups: page.records.map(toGroupBody), next: page.next };
  }
}
