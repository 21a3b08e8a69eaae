import { Injectable } from '@nestjs/common';
import { hasStatus, hasType, holderOf, memberOf } from '../directory/list-filters';
import { toUserBody } from '../directory/record-bodies';
import { RecordReader } from '../directory/record-reader';
import { User } from '../directory/user.entity';
import type { ListUsersDto } from './dto/list-users.dto';
import type { UserPageDto } from './dto/user.dto';

/** Lists users. All given filters must match. */
@Injectable()
export class ListUsersService {
  constructor(private readonly records: RecordReader) {}

  async execute(query: ListUsersDto): Promise<UserPageDto> {
    const { status, type, workspace, group, permission } = query;
    const filters = [
      ...(status ? [hasStatus(status)] : []),
      ...(type ? [hasType(type)] : []),
      ...(workspace ? [memberOf('workspace', workspace)] : []),
      ...(group ? [memberOf('group', group)] : []),
      ...(permission ? [holderOf(permission)] : []),
    ];
    const page = await this.records.page(User, query, filters);
    return { users: page.records.map(toUserBody), next: page.next };
  }
}
