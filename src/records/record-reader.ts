import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { type AnyRecord, findRecord, type FoundRecord, recordsOf } from './find-record';
import { contains, hasId, type ListFilters } from './list-filters';
import { ListCursor } from './list-cursor';
import type { ListFilter } from './list-sets';
import { isOneStatement, readPage } from './record-page';

/** The parameters of every list. */
interface ListQuery {
  id?: readonly string[];
  search?: string;
  sort: 'id' | '-createdAt';
  limit: number;
  cursor?: string;
}

/** A page of records, and the cursor of the next page; null on the last page. */
interface RecordPage<Body> {
  records: Body[];
  next: string | null;
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
  async one<Record extends AnyRecord, Body>(
    entity: new () => Record,
    id: string,
    toBody: (found: FoundRecord<Record>) => Body,
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
  async page<Record extends AnyRecord, Body, Query extends ListQuery>(
    entity: new () => Record,
    query: Query,
    toBody: (record: Record) => Body,
    filters: ListFilters<Query> = {},
  ): Promise<RecordPage<Body>> {
    const { limit, cursor: text, ...narrowing } = query;
    const table = this.dataSource.getMetadata(entity).tableName;
    const cursor = new ListCursor([table, narrowing]);
    const list = { table, limit, order: query.sort, after: cursor.read(text) };
    const names = Object.keys(filters) as (keyof Query)[];
    const own = names.flatMap((name) => (query[name] ? (filters[name]?.(query[name]) ?? []) : []));
    const all = [...own, ...(await this.filtersOf(query))];
    const read = (manager: EntityManager) =>
      readPage({ ...list, filters: all, records: () => recordsOf(manager, entity) });
    // Several statements must see the same moment. Otherwise records that vanish between two of them could end a list early.
    const found = await (isOneStatement(all)
      ? read(this.dataSource.manager)
      : this.dataSource.transaction('REPEATABLE READ', read));
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    const detail = query.sort === '-createdAt' ? last?.createdAt.toISOString() : undefined;
    return { records: page.map(toBody), next: last ? cursor.write({ id: last.id, detail }) : null };
  }

  private async filtersOf({ id, search }: ListQuery): Promise<ListFilter[]> {
    return [
      ...(id ? [hasId(id)] : []),
      ...(search === undefined ? [] : [contains(search, await this.canSearchAnywhere())]),
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
        'Search finds only the beginnings of ids: this database has no extension pg_trgm. Let a role that may do so run CREATE EXTENSION pg_trgm before the first migration.',
      );
    }
    return row?.has ?? false;
  }
}
