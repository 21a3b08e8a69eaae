import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { GroupBody, WithPermissions } from '../contract/records';
import { findRecord } from '../directory/find-record';
import { Group } from '../directory/group.entity';
import { toGroupBody } from '../directory/record-bodies';

/** Reads one group, with its permissions. */
@Injectable()
export class ReadGroupService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async execute(id: string): Promise<WithPermissions<GroupBody>> {
    const { record, permissions } = await findRecord(this.dataSource.manager, Group, id);
    return { ...toGroupBody(record), permissions };
  }
}
