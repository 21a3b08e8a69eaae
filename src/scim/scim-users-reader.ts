import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { USER } from '@user-administration/scim-protocol';
import { PAGE_BYTES, PageBudget } from '../answers/page-budget';
import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import { BoundedReads } from '../database/bounded-reads';
import type { Queryable } from '../database/statements';
import type { Connection } from './current-connection';
import { examinedBy, readFiltered, tooMuchWork } from './filter-work';
import {
  FROM_PROVISIONED,
  PROVISIONED_COLUMNS,
  type ProvisionedUser,
  toUserResource,
  type UserResource,
} from './provisioned-user';
import { listOf, pageRequestOf, type PageRequest, type ResourceList, type ScimQuery } from './list-page';
import { filterCondition } from './scim-filter-sql';
import { isSelective, USER_FILTER } from './user-filter';

/** What a page is found among. */
interface Search extends PageRequest {
  connectionKey: string;
  /** The first user whom the search does not examine, if it does not examine all. */
  before: string | undefined;
}

/** A user on a page. */
interface FoundUser extends ProvisionedUser {
  /** The number of users on the page, of which those are not read that do not fit, and one more if there are more. */
  found: number;
  /** The number of all, where it is counted. */
  total: number | null;
}

/** Bytes of the address of a resource, without its id. */
const LOCATION = 300;

/** Reads the users of a connection, in the order in which it got them. */
@Injectable()
export class ScimUsersReader {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly reads: BoundedReads,
  ) {}

  /** @throws ServiceError `user.unknown` */
  async one(id: string, { key }: Connection): Promise<UserResource> {
    const found: ProvisionedUser[] = isIdentifier(id)
      ? await this.dataSource.query(
          `SELECT ${PROVISIONED_COLUMNS} FROM ${FROM_PROVISIONED} WHERE p.connection_key = $1 AND p.id = $2`,
          [key, id],
        )
      : [];
    const [user] = found;
    if (!user) throw new ServiceError('user.unknown');
    return toUserResource(user);
  }

  /**
   * A page by cursor costs the same wherever it is, and can be short or empty. One by index is counted off, and is told
   * the number of all.
   *
   * @throws ScimError `invalidFilter`, `invalidValue`, `invalidCursor`, `tooMany`
   */
  page(query: ScimQuery, { key }: Connection, gone: AbortSignal): Promise<ResourceList<UserResource>> {
    const request = pageRequestOf(query, `Users of ${key}`);
    const { filter, startIndex, after } = request;
    if (!filter) return readPage(this.dataSource, { ...request, connectionKey: key, before: undefined });
    return readFiltered(this.reads, gone, async (sender) => {
      const before = isSelective(filter) ? undefined : await keyAfter(sender, key, after, examinedBy(filter));
      if (before !== undefined && startIndex !== undefined) throw tooMuchWork();
      return readPage(sender, { ...request, connectionKey: key, before });
    });
  }
}

async function readPage(sender: Queryable, search: Search): Promise<ResourceList<UserResource>> {
  const { count, startIndex, before } = search;
  const rows = count === 0 ? [] : await readUsers(sender, search);
  const budget = new PageBudget(count);
  const fitting = rows.filter((one) => budget.spend(bytesOf(toUserResource(one))));
  const [first] = rows;
  const hasMore = first !== undefined && first.found > fitting.length;
  // Keys are numbers, and the next page begins after this one.
  const examined = before === undefined ? undefined : String(BigInt(before) - 1n);
  const end = hasMore ? fitting.at(-1)?.key : examined;
  const total = startIndex === undefined ? undefined : (totalOf(search, first) ?? (await countUsers(sender, search)));
  return listOf(search, fitting.map(toUserResource), total, end);
}

function bytesOf(resource: UserResource): number {
  return Buffer.byteLength(JSON.stringify(resource)) + encodeURIComponent(resource.id).length + LOCATION;
}

/** All are counted only if the page does not tell how many they are. */
function totalOf({ count, startIndex = 1 }: Search, first: FoundUser | undefined): number | undefined {
  if (!first) return startIndex === 1 && count > 0 ? 0 : undefined;
  return first.total ?? (first.found <= count ? startIndex - 1 + first.found : undefined);
}

/** The key of the user who comes so many places later. Only the index is read. */
async function keyAfter(
  sender: Queryable,
  connectionKey: string,
  after: string | undefined,
  places: number,
): Promise<string | undefined> {
  const [found] = await sender.query<{ key: string }[]>(
    'SELECT key FROM scim_users WHERE connection_key = $1 AND key > $2 ORDER BY key LIMIT 1 OFFSET $3',
    [connectionKey, after ?? '0', places],
  );
  return found?.key;
}

async function countUsers(sender: Queryable, { filter, connectionKey }: Search): Promise<number> {
  const parameters: unknown[] = [connectionKey];
  // Without a filter, the index of the connection is enough.
  const source = filter ? FROM_PROVISIONED : 'scim_users AS p';
  const [{ total }] = await sender.query<[{ total: number }]>(
    `SELECT count(*)::integer AS total FROM ${source}
     WHERE p.connection_key = $1 AND ${conditionOf(filter, parameters)}`,
    parameters,
  );
  return total;
}

/** Reads no further than a page goes, so what it holds in memory does not depend on how large the resources are. */
function readUsers(sender: Queryable, search: Search): Promise<FoundUser[]> {
  const { filter, count, startIndex, after, before, connectionKey } = search;
  const parameters: unknown[] = [connectionKey, after ?? '0', count + 1, (startIndex ?? 1) - 1];
  const isExamined = before === undefined ? 'true' : `p.key < $${parameters.push(before)}`;
  const condition = conditionOf(filter, parameters);
  const listed = `SELECT p.key FROM ${filter ? FROM_PROVISIONED : 'scim_users AS p'}
    WHERE p.connection_key = $1 AND p.key > $2 AND ${isExamined} AND ${condition}`;
  const page = 'ORDER BY key LIMIT $3 OFFSET $4';
  // All matches are found first where they are few, or are counted. Otherwise the page is a walk in the list's order.
  const findsAll = filter !== undefined && (startIndex !== undefined || isSelective(filter));
  const keys = findsAll
    ? `WITH listed AS MATERIALIZED (${listed}), found AS (SELECT key FROM listed ${page})`
    : `WITH found AS MATERIALIZED (${listed} ${page})`;
  return sender.query(
    `${keys}, sized AS (
       SELECT p.*, sum(octet_length(p.resource::text)) OVER (ORDER BY p.key)
         - octet_length(p.resource::text) AS bytes_before
       FROM found JOIN scim_users AS p ON p.connection_key = $1 AND p.key = found.key
     )
     SELECT ${PROVISIONED_COLUMNS}, (SELECT count(*) FROM found)::integer AS found,
       ${findsAll ? '(SELECT count(*) FROM listed)' : 'NULL'}::integer AS total
     FROM sized AS p JOIN users AS u ON u.key = p.user_key WHERE bytes_before < ${PAGE_BYTES} ORDER BY p.key`,
    parameters,
  );
}

function conditionOf(filter: PageRequest['filter'], parameters: unknown[]): string {
  return filter ? filterCondition(filter, USER.id, USER_FILTER, parameters) : 'true';
}
