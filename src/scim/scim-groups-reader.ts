import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { PageRoom } from '../answers/page-room';
import { ServiceError } from '../contract/errors';
import type { Connection } from './current-connection';
import { GROUP } from './group-schema';
import { FROM_GROUPS, GROUP_COLUMNS, type GroupResource, type KeptGroup, toGroupResource } from './kept-group';
import { listOf, pageRequestOf, type PageRequest, type ResourceList, type ScimQuery } from './list-page';
import { findGroup } from './lock-group';
import { type FilterAttributes, filterCondition } from './scim-filter-sql';

/** A member of a group, as it is read. */
export interface GroupMember {
  /** The position in the list. */
  key: string;
  id: string;
  displayName: string | null;
}

/** A group on a page, with its members if they are asked for. */
export type ListedGroup = GroupResource & { members?: object[] };

/** The attributes of groups that can be filtered, over `FROM_GROUPS`. */
const GROUP_FILTER: FilterAttributes = {
  id: { kind: 'text', sql: 'g.id' },
  externalid: { kind: 'text', sql: 'seen.external_id' },
  displayname: { kind: 'text', sql: 'fold_case(g.name)', folded: true },
  'meta.created': { kind: 'time', sql: 'g.created_at' },
  'meta.lastmodified': { kind: 'time', sql: 'GREATEST(g.updated_at, seen.updated_at)' },
  members: {
    kind: 'rows',
    from: `group_memberships AS m JOIN scim_users AS kept ON kept.user_key = m.user_key AND kept.connection_key = c.key
      JOIN users AS u ON u.key = m.user_key AND m.group_key = g.key`,
    parts: {
      value: { kind: 'text', sql: 'kept.id' },
      display: { kind: 'text', sql: 'fold_case(u.display_name)', folded: true },
    },
  },
};

/** Members that one statement reads. */
export const MEMBERS_PART = 10_000;

/** Reads the groups that a connection sees, oldest first. */
@Injectable()
export class ScimGroupsReader {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** @throws ServiceError `group.unknown` */
  async one(id: string, connection: Connection): Promise<KeptGroup> {
    const found = await findGroup(this.dataSource.manager, id, connection);
    if (!found) throw new ServiceError('group.unknown');
    return found;
  }

  /** Members whom the connection knows, after this position. */
  members({ key: group }: Pick<KeptGroup, 'key'>, { key }: Connection, after = '0'): Promise<GroupMember[]> {
    return this.dataSource.query(
      `SELECT kept.key, kept.id, u.display_name AS "displayName"
       FROM group_memberships AS m JOIN scim_users AS kept ON kept.user_key = m.user_key JOIN users AS u ON u.key = m.user_key
       WHERE m.group_key = $1 AND kept.connection_key = $2 AND kept.key > $3 ORDER BY kept.key LIMIT ${MEMBERS_PART}`,
      [group, key, after],
    );
  }

  /**
   * @param toMembers how members are shown; undefined for a page without them
   * @throws ScimError `invalidFilter`, `invalidValue`, `invalidCursor`
   */
  async page(
    query: ScimQuery,
    connection: Connection,
    toMembers: ((group: KeptGroup) => Promise<object[]>) | undefined,
  ): Promise<ResourceList<ListedGroup>> {
    const request = pageRequestOf(query, `Groups of ${connection.key}`);
    const { count, startIndex } = request;
    const found = count === 0 ? [] : await this.read(request, connection);
    const total = startIndex === undefined ? undefined : await this.count(request, connection);
    const room = new PageRoom(count);
    const resources: ListedGroup[] = [];
    for (const group of found.slice(0, count)) {
      if (room.isFull) break;
      const resource = { ...toGroupResource(group), ...(toMembers && { members: await toMembers(group) }) };
      if (!room.take(Buffer.byteLength(JSON.stringify(resource)))) break;
      resources.push(resource);
    }
    return listOf(request, found, resources, total);
  }

  private async count({ filter }: PageRequest, { key }: Connection): Promise<number> {
    const parameters: unknown[] = [key];
    const [{ total }] = await this.dataSource.query<[{ total: number }]>(
      `SELECT count(*)::integer AS total FROM ${FROM_GROUPS} WHERE c.key = $1 AND ${conditionOf(filter, parameters)}`,
      parameters,
    );
    return total;
  }

  private read({ filter, count, startIndex = 1, after }: PageRequest, { key }: Connection): Promise<KeptGroup[]> {
    const parameters: unknown[] = [key, after ?? '0', count + 1, startIndex - 1];
    // `g.key + 0` prevents a walk over the groups of all workspaces to save a sort.
    return this.dataSource.query(
      `SELECT ${GROUP_COLUMNS} FROM ${FROM_GROUPS} WHERE c.key = $1 AND g.key + 0 > $2 AND ${conditionOf(filter, parameters)}
       ORDER BY g.key + 0 LIMIT $3 OFFSET $4`,
      parameters,
    );
  }
}

function conditionOf(filter: string | undefined, parameters: unknown[]): string {
  return filter === undefined ? 'true' : filterCondition(filter, GROUP.id, GROUP_FILTER, parameters);
}
