import { Injectable } from '@nestjs/common';
import { Permission } from '../directory/permission.entity';
import { grantsType } from '../directory/list-filters';
import { toPermissionBody } from '../directory/record-bodies';
import { RecordReader } from '../directory/record-reader';
import type { ListPermissionsDto } from './dto/list-permissions.dto';
import type { PermissionPageDto } from './dto/permission.dto';

/** Lists permissions. All given filters must match. */
@Injectable()
export class ListPermissionsService {
  constructor(private readonly records: RecordReader) {}

  async execute(query: ListPermissionsDto): Promise<PermissionPageDto> {
    const { grants } = query;
    const filters = grants ? [grantsType(grants)] : [];
    const page = await this.records.page(Permission, query, filters);
    return { permissions: page.records.map(toPermissionBody), next: page.next };
  }
}
