import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { PermissionBody } from '../contract/records';
import { findPermission } from '../directory/find-record';
import { toPermissionBody } from '../directory/record-bodies';

/** Reads one permission. */
@Injectable()
export class ReadPermissionService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async execute(id: string): Promise<PermissionBody> {
    return toPermissionBody(await findPermission(this.dataSource.manager, id));
  }
}
