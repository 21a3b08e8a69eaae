import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { findRecord } from '../directory/find-record';
import { ListCursor } from '../directory/list-cursor';
import { User } from '../directory/user.entity';
import type { MembershipPageDto, MembershipsQueryDto } from './dto/memberships.dto';

/** Reads the workspaces of a user, by id and in pages, each with the user's groups in it. */
@Injectable()
export class ReadMembershipsService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async execute(id: string, { limit, cursor: text }: MembershipsQueryDto): Promise<MembershipPageDto> {
    const { record } = await findRecord(this.dataSource.manager, User, id);
    const cursor = new ListCursor(['memberships', id]);
    const after = cursor.read(text);
    const rows: MembershipPageDto['memberships'] = await this.dataSource.query(
      `SELECT jsonb_build_object('id', w.id, 'name', w.name) AS workspace, COALESCE((
         SELECT jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) ORDER BY g.id)
         FROM group_memberships JOIN groups AS g ON g.key = group_key
         WHERE user_key = $1 AND group_memberships.workspace_key = w.key
       ), '[]') AS groups
       FROM workspace_memberships JOIN workspaces AS w ON w.key = workspace_key
       WHERE user_key = $1 AND ($2::text IS NULL OR w.id > $2) ORDER BY w.id LIMIT $3`,
      [record.key, after?.id ?? null, limit + 1],
    );
    const memberships = rows.slice(0, limit);
    const last = rows.length > limit ? memberships.at(-1) : undefined;
    return { memberships, next: last ? cursor.write(last.workspace) : null };
  }
}
