import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { ListQuery } from '@user-administration/scim-protocol';
import { ServiceError } from '../door';
import { PAGE_BYTES } from '../../answers/page-budget';
import { BoundedReads, type Queryable } from '@user-administration/postgres';
import { examinedBy, readFiltered, tooMuchWork } from './filter-work';
import { findResource, type ResourceKind } from './resource-kind';
import type { Connection } from './scim-request';

/** A row on a page. */
interface Listed {
  key: string;
  /** The number of rows on the page, including those that do not fit, and one more if the list goes on. */
  found: number;
  /** The number of rows in the list, where it is counted. */
  total: number | null;
}

/** The rows of a page. */
export interface FoundPage<Row> {
  rows: (Row & Listed)[];
  total: number;
}

interface Search extends ListQuery {
  connectionKey: string;
}

/** Reads the resources that a connection sees, oldest first. */
@Injectable()
export class ResourceReader {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly reads: BoundedReads,
  ) {}

  /** @throws ServiceError `user.unknown`, `group.unknown` */
  async one<Row>(kind: ResourceKind<Row>, id: string, connection: Connection): Promise<Row> {
    const found = await findResource(this.dataSource, kind, id, connection);
    if (!found) throw new ServiceError(kind.unknown);
    return found;
  }

  /**
   * A page skips the rows before it, and has the number of all.
   *
   * @throws ScimRefusal `invalidFilter`; ScimError `tooMany`
   */
  page<Row>(
    kind: ResourceKind<Row>,
    request: ListQuery,
    { key: connectionKey }: Connection,
    gone: AbortSignal,
  ): Promise<FoundPage<Row>> {
    const search = { ...request, connectionKey };
    const { filter } = request;
    if (!filter) return readPage(this.dataSource, kind, search);
    return readFiltered(this.reads, gone, async (sender) => {
      if (!kind.isSelective(filter) && (await hasMoreThan(examinedBy(filter), sender, kind, search)))
        throw tooMuchWork();
      return readPage(sender, kind, search);
    });
  }
}

async function readPage<Row>(sender: Queryable, kind: ResourceKind<Row>, search: Search): Promise<FoundPage<Row>> {
  const rows = search.count === 0 ? [] : await readRows(sender, kind, search);
  return { rows, total: totalOf(search, rows[0]) ?? (await countRows(sender, kind, search)) };
}

/** The rows are counted only if the page does not show how many there are. */
function totalOf({ count, startIndex }: Search, first: Listed | undefined): number | undefined {
  if (!first) return startIndex === 1 && count > 0 ? 0 : undefined;
  return first.total ?? (first.found <= count ? startIndex - 1 + first.found : undefined);
}

/** Whether a connection sees more rows than this number. Only the index is read. */
async function hasMoreThan<Row>(
  places: number,
  sender: Queryable,
  { positionsFrom, connectionKey: ofRow }: ResourceKind<Row>,
  { connectionKey }: Search,
): Promise<boolean> {
  const found = await sender.query<unknown[]>(`SELECT FROM ${positionsFrom} WHERE ${ofRow} = $1 LIMIT 1 OFFSET $2`, [
    connectionKey,
    places,
  ]);
  return found.length > 0;
}

async function countRows<Row>(sender: Queryable, kind: ResourceKind<Row>, search: Search): Promise<number> {
  const parameters: unknown[] = [search.connectionKey];
  const [{ total }] = await sender.query<[{ total: number }]>(
    `SELECT count(*)::integer AS total FROM ${listed(kind, search, parameters)}`,
    parameters,
  );
  return total;
}

/** Reads only as many bytes as fit on a page, so its memory does not depend on the size of the resources. */
function readRows<Row>(sender: Queryable, kind: ResourceKind<Row>, search: Search): Promise<FoundPage<Row>['rows']> {
  const { filter, count, startIndex, connectionKey } = search;
  const { key, sortKey, bytes, columns, from } = kind;
  const parameters: unknown[] = [connectionKey, count + 1, startIndex - 1];
  const all = `SELECT ${key} FROM ${listed(kind, search, parameters)}`;
  // With a filter, all matches are found first, because they are counted. Otherwise the page is a walk in the order of
  // the list.
  const keys = filter
    ? `WITH listed AS MATERIALIZED (${all}), found AS (SELECT key FROM listed ORDER BY key LIMIT $2 OFFSET $3)`
    : `WITH found AS MATERIALIZED (${all} ORDER BY ${sortKey} LIMIT $2 OFFSET $3)`;
  return sender.query(
    `${keys}
     SELECT * FROM (
       SELECT ${columns}, sum(${bytes}) OVER (ORDER BY ${key}) - ${bytes} AS "bytesBefore",
         (SELECT count(*) FROM found)::integer AS found,
         ${filter ? '(SELECT count(*) FROM listed)' : 'NULL'}::integer AS total
       FROM found, ${from} WHERE ${kind.connectionKey} = $1 AND ${key} = found.key
     ) AS page WHERE "bytesBefore" < ${PAGE_BYTES} ORDER BY key`,
    parameters,
  );
}

/** The rows of a list, without the bounds of a page. */
function listed<Row>(kind: ResourceKind<Row>, { filter }: Search, parameters: unknown[]): string {
  if (!filter) return `${kind.positionsFrom} WHERE ${kind.connectionKey} = $1`;
  return `${kind.from} WHERE ${kind.connectionKey} = $1 AND ${kind.condition(filter, parameters)}`;
}
