import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { PermissionBody } from '../contract/records';
import { findRecord } from '../directory/find-record';
import { Permission } from '../directory/permission.entity';
import { toPermissionBody } from '../directory/record-bodies';

/** Reads one permission. */
@Injectable()
export class ReadPermissionService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async execute(id: string): Promise<PermissionBody> {
    return toPermissionBody((await findRecord(this.dataSource.manager, Permission, id)).record);
  }
}
