import { Injectable } from '@nestjs/common';
import { Permission } from '../directory/permission.entity';
import { grantsType } from '../directory/list-filters';
import { toPermissionBody } from '../directory/record-bodies';
import { RecordLists } from '../directory/record-lists';
import type { ListPermissionsDto } from './dto/list-permissions.dto';
import type { PermissionPageDto } from './dto/permission.dto';

/** Lists permissions. All given filters must match. */
@Injectable()
export class ListPermissionsService {
  constructor(private readonly lists: RecordLists) {}

  async execute(query: ListPermissionsDto): Promise<PermissionPageDto> {
    const { grants } = query;
    const filters = grants ? [grantsType(grants)] : [];
    const page = await this.lists.page(Permission, query, filters);
    return { permissions: page.records.map(toPermissionBody), next: page.next };
  }
}
