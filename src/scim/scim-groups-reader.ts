import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { ServiceError } from '../contract/errors';
import { BoundedReads } from '../database/bounded-reads';
import type { Queryable } from '../database/statements';
import type { Connection } from './current-connection';
import { readFiltered } from './filter-work';
import { groupCondition } from './group-filter';
import { FROM_GROUPS, GROUP_COLUMNS, type ProvisionedGroup } from './provisioned-group';
import type { PageRequest } from './list-page';
import { findGroup } from './lock-group';

/** A member of a group, as it is read. */
export interface GroupMember {
  /** The position in the list. */
  key: string;
  id: string;
  displayName: string | null;
}

/** What a page of groups can have. */
export interface FoundGroups {
  /** One more than the page may have, if there is more. */
  groups: ProvisionedGroup[];
  /** The number of all; undefined for a page by cursor. */
  total: number | undefined;
}

/** Members that one statement reads. */
const MEMBERS_PART = 10_000;

/** Reads the groups that a connection sees, oldest first. */
@Injectable()
export class ScimGroupsReader {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly reads: BoundedReads,
  ) {}

  /** @throws ServiceError `group.unknown` */
  async one(id: string, connection: Connection): Promise<ProvisionedGroup> {
    const found = await findGroup(this.dataSource.manager, id, connection);
    if (!found) throw new ServiceError('group.unknown');
    return found;
  }

  /** @throws ScimError `invalidFilter`, `tooMany` */
  page(request: PageRequest, connection: Connection, gone: AbortSignal): Promise<FoundGroups> {
    const read = async (sender: Queryable): Promise<FoundGroups> => ({
      groups: request.count === 0 ? [] : await readGroups(sender, request, connection),
      total: request.startIndex === undefined ? undefined : await countGroups(sender, request, connection),
    });
    return request.filter ? readFiltered(this.reads, gone, read) : read(this.dataSource);
  }

  /** The members whom the connection knows, part by part. */
  async *members({ key: group }: ProvisionedGroup, { key }: Connection): AsyncGenerator<GroupMember[], undefined> {
    for (let after = '0'; ;) {
      const part = await this.dataSource.query<GroupMember[]>(
        `SELECT p.key, p.id, u.display_name AS "displayName"
         FROM group_memberships AS m JOIN scim_users AS p ON p.user_key = m.user_key
         JOIN users AS u ON u.key = m.user_key
         WHERE m.group_key = $1 AND p.connection_key = $2 AND p.key > $3 ORDER BY p.key LIMIT ${MEMBERS_PART}`,
        [group, key, after],
      );
      yield part;
      if (part.length < MEMBERS_PART) return;
      after = part.at(-1)?.key ?? after;
    }
  }
}

async function countGroups(sender: Queryable, { filter }: PageRequest, { key }: Connection): Promise<number> {
  const parameters: unknown[] = [key];
  const [{ total }] = await sender.query<[{ total: number }]>(
    `SELECT count(*)::integer AS total FROM ${FROM_GROUPS} WHERE c.key = $1 AND ${groupCondition(filter, parameters)}`,
    parameters,
  );
  return total;
}

function readGroups(
  sender: Queryable,
  { filter, count, startIndex = 1, after }: PageRequest,
  { key }: Connection,
): Promise<ProvisionedGroup[]> {
  const parameters: unknown[] = [key, after ?? '0', count + 1, startIndex - 1];
  // `g.key + 0` prevents a walk over the groups of all workspaces to save a sort.
  return sender.query(
    `SELECT ${GROUP_COLUMNS} FROM ${FROM_GROUPS}
     WHERE c.key = $1 AND g.key + 0 > $2 AND ${groupCondition(filter, parameters)}
     ORDER BY g.key + 0 LIMIT $3 OFFSET $4`,
    parameters,
  );
}
