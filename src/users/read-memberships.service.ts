import { Injectable } from '@nestjs/common';
import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import { Statements } from '../database/statements';
import { ListCursor } from '../records/list-cursor';
import type { MembershipPageDto, MembershipsQueryDto } from './dto/memberships.dto';

type Membership = MembershipPageDto['memberships'][number];

/** Reads the workspaces of a user, by id and in pages, each with the user's groups in it. */
@Injectable()
export class ReadMembershipsService {
  constructor(private readonly statements: Statements) {}

  /** @throws ServiceError `user.unknown`, `query.invalid` for a cursor of another list */
  async execute(id: string, { limit, cursor: text }: MembershipsQueryDto): Promise<MembershipPageDto> {
    if (!isIdentifier(id)) throw new ServiceError('user.unknown');
    const cursor = new ListCursor(['memberships', id]);
    const after = cursor.read(text);
    // One statement, so that the user and the memberships come from the same moment.
    const [user] = await this.statements.query<{ memberships: Membership[] }[]>(
      `SELECT ARRAY(
         SELECT json_build_object('workspace', json_build_object('id', w.id, 'name', w.name), 'groups', ARRAY(
           SELECT json_build_object('id', g.id, 'name', g.name)
           FROM group_memberships JOIN groups AS g ON g.key = group_key
           WHERE user_key = users.key AND group_memberships.workspace_key = w.key ORDER BY g.id
         ))
         FROM workspace_memberships JOIN workspaces AS w ON w.key = workspace_key
         WHERE user_key = users.key AND ($2::text IS NULL OR w.id > $2) ORDER BY w.id LIMIT $3
       ) AS memberships
       FROM users WHERE id = $1`,
      [id, after?.id, limit + 1],
    );
    if (!user) throw new ServiceError('user.unknown');
    const memberships = user.memberships.slice(0, limit);
    const last = user.memberships.length > limit ? memberships.at(-1) : undefined;
    return { memberships, next: last ? cursor.write(last.workspace) : null };
  }
}
