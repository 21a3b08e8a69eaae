import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { PAGE_BYTES } from '../answers/page-budget';
import { ServiceError } from '../contract/errors';
import { BoundedReads } from '../database/bounded-reads';
import type { Queryable } from '../database/statements';
import { examinedBy, readFiltered, tooMuchWork } from './filter-work';
import type { PageRequest } from './page-request';
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
  /** Undefined for a page by cursor. */
  total: number | undefined;
  /** The key up to which the list was examined, if it was not examined completely. */
  examined: string | undefined;
}

interface Search extends PageRequest {
  connectionKey: string;
  /** The first key that is not examined. */
  before: string | undefined;
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
   * A page by cursor costs the same wherever it is, and can be short or empty. A page by index skips the rows before
   * it, and has the number of all.
   *
   * @throws ScimRefusal `invalidFilter`; ScimError `tooMany`
   */
  page<Row>(
    kind: ResourceKind<Row>,
    request: PageRequest,
    { key: connectionKey }: Connection,
    gone: AbortSignal,
  ): Promise<FoundPage<Row>> {
    const search = { ...request, connectionKey, before: undefined };
    const { filter, startIndex } = request;
    if (!filter) return readPage(this.dataSource, kind, search);
    return readFiltered(this.reads, gone, async (sender) => {
      const before = kind.isSelective(filter) ? undefined : await keyAfter(sender, kind, search, examinedBy(filter));
      if (before !== undefined && startIndex !== undefined) throw tooMuchWork();
      return readPage(sender, kind, { ...search, before });
    });
  }
}

async function readPage<Row>(sender: Queryable, kind: ResourceKind<Row>, search: Search): Promise<FoundPage<Row>> {
  const rows = search.count === 0 ? [] : await readRows(sender, kind, search);
  const total =
    search.startIndex === undefined ? undefined : (totalOf(search, rows[0]) ?? (await countRows(sender, kind, search)));
  return { rows, total, examined: search.before && String(BigInt(search.before) - 1n) };
}

/** The rows are counted only if the page does not show how many there are. */
function totalOf({ count, startIndex = 1 }: Search, first: Listed | undefined): number | undefined {
  if (!first) return startIndex === 1 && count > 0 ? 0 : undefined;
  return first.total ?? (first.found <= count ? startIndex - 1 + first.found : undefined);
}

/** The key of the row that is so many places later. Only the index is read. */
async function keyAfter<Row>(
  sender: Queryable,
  { key, positionsFrom, connectionKey: ofRow }: ResourceKind<Row>,
  { connectionKey, after }: Search,
  places: number,
): Promise<string | undefined> {
  const [found] = await sender.query<{ key: string }[]>(
    `SELECT ${key} FROM ${positionsFrom} WHERE ${ofRow} = $1 AND ${key} > $2 ORDER BY ${key} LIMIT 1 OFFSET $3`,
    [connectionKey, after ?? '0', places],
  );
  return found?.key;
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
  const { filter, count, startIndex, after, before, connectionKey } = search;
  const { key, sortKey, bytes, columns, from } = kind;
  const parameters: unknown[] = [connectionKey, after ?? '0', count + 1, (startIndex ?? 1) - 1];
  const isExamined = before === undefined ? 'true' : `${key} < $${parameters.push(before)}`;
  const all = `SELECT ${key} FROM ${listed(kind, search, parameters)} AND ${sortKey} > $2 AND ${isExamined}`;
  // All matches are found first where they are few, or are counted. Otherwise the page is a walk in the list's order.
  const findsAll = filter !== undefined && (startIndex !== undefined || kind.isSelective(filter));
  const keys = findsAll
    ? `WITH listed AS MATERIALIZED (${all}), found AS (SELECT key FROM listed ORDER BY key LIMIT $3 OFFSET $4)`
    : `WITH found AS MATERIALIZED (${all} ORDER BY ${sortKey} LIMIT $3 OFFSET $4)`;
  return sender.query(
    `${keys}
     SELECT * FROM (
       SELECT ${columns}, sum(${bytes}) OVER (ORDER BY ${key}) - ${bytes} AS "bytesBefore",
         (SELECT count(*) FROM found)::integer AS found,
         ${findsAll ? '(SELECT count(*) FROM listed)' : 'NULL'}::integer AS total
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
