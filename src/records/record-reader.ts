import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { type AnyRecord, findRecord, type FoundRecord } from './find-record';
import { contains, hasId, isAfter, type ListFilter, type ListFilters } from './list-filters';
import { ListCursor } from './list-cursor';
import { LIST_ORDERS, type ListSort } from './list-orders';
import { countMatches, type ListTotal } from './list-total';
import { readPage } from './record-page';

/** The filters of every list. */
interface Narrowing {
  id?: readonly string[];
  search?: string;
}

/** The parameters of every list. */
interface ListQuery extends Narrowing {
  sort: ListSort;
  total?: boolean;
  limit: number;
  cursor?: string;
}

/** A page of records, and the cursor of the next page; null on the last page. */
interface RecordPage<Body> {
  records: Body[];
  next: string | null;
  /** Only if the query asks for it. */
  total?: ListTotal;
}

/** Reads records: one by its id, or a list page by page. */
@Injectable()
export class RecordReader {
  private readonly logger = new Logger(RecordReader.name);
  private searchesAnywhere: Promise<boolean> | undefined;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * @param toBody what the answer shows of the record
   * @throws ServiceError `user.unknown` or the like
   */
  async one<Entity extends AnyRecord, Body>(
    entity: new () => Entity,
    id: string,
    toBody: (found: FoundRecord<Entity>) => Body,
  ): Promise<Body> {
    return toBody(await findRecord(this.dataSource.manager, entity, id));
  }

  /**
   * Lists records. All given filters must match.
   *
   * @param toBody what the answer shows of each record
   * @param filters in addition to those of every list
   * @throws ServiceError `query.invalid` for a cursor that does not belong to this list
   */
  async page<Entity extends AnyRecord, Body, Query extends ListQuery>(
    entity: new () => Entity,
    query: Query,
    toBody: (record: Entity) => Body,
    filters: ListFilters<Query> = {},
  ): Promise<RecordPage<Body>> {
    const { limit, cursor: text, total, ...narrowing } = query;
    const { manager } = this.dataSource;
    const table = this.dataSource.getMetadata(entity).tableName;
    const order = LIST_ORDERS[query.sort];
    const cursor = new ListCursor([table, narrowing], order.isValue);
    const position = cursor.read(text);
    const matching = await this.matching(query, filters);
    const after = position ? [isAfter(position, order)] : [];
    const request = { table, filters: [...matching, ...after], order, wanted: limit + 1 };
    const { records, end } = await readPage(manager, entity, request);
    const isWhole = !position && !end;
    return {
      records: records.map(toBody),
      next: end ? cursor.write(end) : null,
      ...(total && {
        total: isWhole
          ? { count: records.length, exact: true }
          : await countMatches(manager, { table, filters: matching }),
      }),
    };
  }

  /** The conditions of a query. All of them must match. */
  async matching<Query extends Narrowing>(query: Query, filters: ListFilters<Query>): Promise<ListFilter[]> {
    const names = Object.keys(filters) as (keyof Query)[];
    return [
      ...(query.id ? [hasId(query.id)] : []),
      ...(query.search === undefined ? [] : [contains(query.search, await this.canSearchAnywhere())]),
      ...names.flatMap((name) => (query[name] ? (filters[name]?.(query[name]) ?? []) : [])),
    ];
  }

  /** Read once: a migration creates the indexes before the service serves. */
  private canSearchAnywhere(): Promise<boolean> {
    this.searchesAnywhere ??= this.hasTrigrams().catch((error: unknown) => {
      this.searchesAnywhere = undefined;
      throw error;
    });
    return this.searchesAnywhere;
  }

  private async hasTrigrams(): Promise<boolean> {
    const [row]: { has: boolean }[] = await this.dataSource.query(
      `SELECT to_regclass('users_search') IS NOT NULL AS has`,
    );
    if (!row?.has) {
      this.logger.warn(
        'Search finds only the beginnings of ids: this database has no extension pg_trgm. Let a role ' +
          'that may do so run CREATE EXTENSION pg_trgm before the first migration.',
      );
    }
    return row?.has ?? false;
  }
}
