import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { UserBody, WithPermissions } from '../contract/records';
import { findRecord } from '../directory/find-record';
import { toUserRecord } from '../directory/record-bodies';
import { User } from '../directory/user.entity';

/** Reads one user, with the permissions granted directly. */
@Injectable()
export class ReadUserService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async execute(id: string): Promise<WithPermissions<UserBody>> {
    return toUserRecord(await findRecord(this.dataSource.manager, User, id));
  }
}
