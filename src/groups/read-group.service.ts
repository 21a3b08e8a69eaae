import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { GroupBody, WithPermissions } from '../contract/records';
import { findRecord } from '../directory/find-record';
import { Group } from '../directory/group.entity';
import { toGroupRecord } from '../directory/record-bodies';

/** Reads one group, with its permissions. */
@Injectable()
export class ReadGroupService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async execute(id: string): Promise<WithPermissions<GroupBody>> {
    return toGroupRecord(await findRecord(this.dataSource.manager, Group, id));
  }
}
