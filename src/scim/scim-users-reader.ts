import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { PageRoom } from '../answers/page-room';
import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import type { Connection } from './current-connection';
import { FROM_KEPT, KEPT_COLUMNS, type KeptUser, toUserResource, type UserResource } from './kept-user';
import { listOf, pageRequestOf, type PageRequest, type ResourceList, type ScimQuery } from './list-page';
import { filterCondition } from './scim-filter-sql';
import { isSelective, USER_FILTER } from './user-filter';
import { USER } from './user-schema';

/** Reads the users of a connection, in the order in which it got them. */
@Injectable()
export class ScimUsersReader {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** @throws ServiceError `user.unknown` */
  async one(id: string, { key }: Connection): Promise<UserResource> {
    const found: KeptUser[] = isIdentifier(id)
      ? await this.dataSource.query(
          `SELECT ${KEPT_COLUMNS} FROM ${FROM_KEPT} WHERE kept.connection_key = $1 AND kept.id = $2`,
          [key, id],
        )
      : [];
    const [kept] = found;
    if (!kept) throw new ServiceError('user.unknown');
    return toUserResource(kept);
  }

  /**
   * A page by cursor costs the same wherever it is. One by index is counted off, and is told the number of all.
   *
   * @throws ScimError `invalidFilter`, `invalidValue`, `invalidCursor`
   */
  async page(query: ScimQuery, connection: Connection): Promise<ResourceList<UserResource>> {
    const request = pageRequestOf(query, `Users of ${connection.key}`);
    const { count, startIndex } = request;
    const found = count === 0 ? [] : await this.read(request, connection);
    const total = startIndex === undefined ? undefined : await this.total(request, found.length, connection);
    const room = new PageRoom(count);
    const resources = found.slice(0, count).map(toUserResource);
    const fitting = resources.filter((one) => room.take(Buffer.byteLength(JSON.stringify(one))));
    return listOf(request, found, fitting, total);
  }

  /** All are counted only if the page does not tell how many they are. */
  private async total(request: PageRequest, found: number, connection: Connection): Promise<number> {
    const { count, startIndex = 1 } = request;
    const isLast = found <= count && (found > 0 || startIndex === 1) && count > 0;
    return isLast ? startIndex - 1 + found : this.count(request, connection);
  }

  private async count({ filter }: PageRequest, { key }: Connection): Promise<number> {
    const parameters: unknown[] = [key];
    // Without a filter, the index of the connection is enough.
    const source = filter === undefined ? 'scim_users AS kept' : FROM_KEPT;
    const [{ total }] = (await this.dataSource.query(
      `SELECT count(*)::integer AS total FROM ${source} WHERE kept.connection_key = $1 AND ${conditionOf(filter, parameters)}`,
      parameters,
    )) as [{ total: number }];
    return total;
  }

  private async read({ filter, count, startIndex = 1, after }: PageRequest, { key }: Connection): Promise<KeptUser[]> {
    const parameters: unknown[] = [key, after ?? '0', count + 1, startIndex - 1];
    const isListed = `kept.connection_key = $1 AND kept.key > $2 AND ${conditionOf(filter, parameters)}`;
    const page = 'ORDER BY kept.key LIMIT $3 OFFSET $4';
    // Few users are found by an index and then ordered; many are walked over in their order. Without a filter, the walk needs no record.
    const keys =
      filter === undefined
        ? `SELECT kept.key FROM scim_users AS kept WHERE ${isListed} ${page}`
        : isSelective(filter)
          ? `SELECT kept.key FROM (SELECT kept.key FROM ${FROM_KEPT} WHERE ${isListed} OFFSET 0) AS kept ${page}`
          : `SELECT kept.key FROM ${FROM_KEPT} WHERE ${isListed} ${page}`;
    return this.dataSource.query(
      `SELECT ${KEPT_COLUMNS} FROM (${keys}) AS found JOIN scim_users AS kept ON kept.connection_key = $1 AND kept.key = found.key
       JOIN users AS u ON u.key = kept.user_key ORDER BY kept.key`,
      parameters,
    );
  }
}

function conditionOf(filter: string | undefined, parameters: unknown[]): string {
  return filter === undefined ? 'true' : filterCondition(filter, USER.id, USER_FILTER, parameters);
}
