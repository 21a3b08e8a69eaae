import type { CallOptions, ConditionalOptions, CreationOptions, RecordOptions } from '../client-options.ts';
import { bodyOf, type Service } from '../calls/service.ts';
import type { WireAnswer } from '../calls/wire-request.ts';
import type { Query } from '../calls/wire.rules.ts';
import type { RecordAnswer } from '../types/bulk.ts';
import type { Stored } from '../types/directory.ts';
import { type Pages, pagesOf } from './pages.ts';

/** The types of one kind of record. */
export interface Kind {
  listed: object;
  record: object;
  created: object;
  patch: object;
  filter: object;
}

/** The operations on one kind of record. */
export class Records<K extends Kind> {
  /**
   * @param name the name in the path and in the answer of a list, such as `workspaces`
   * @param filters the names of the filters of a list
   */
  constructor(
    protected readonly service: Service,
    private readonly name: string,
    private readonly filters: readonly string[],
  ) {}

  /** Lists the records that match all filters, page by page. */
  list(filter: K['filter'] = {}, options?: CallOptions): Pages<K['listed']> {
    const { path, filters } = this;
    return pagesOf(this.service, { path, query: filter as Query, filters }, this.name, options);
  }

  /** Reads one record. */
  get(id: string, options?: CallOptions & { ifNoneMatch?: undefined }): Promise<Stored<K['record']>>;
  /** Reads one record. Returns undefined if it still has the `etag` of `ifNoneMatch`. */
  get(id: string, options: CallOptions & { ifNoneMatch: string }): Promise<Stored<K['record']> | undefined>;
  async get(
    id: string,
    options: CallOptions & { ifNoneMatch?: string } = {},
  ): Promise<Stored<K['record']> | undefined> {
    const { ifNoneMatch } = options;
    const headers = { 'if-none-match': ifNoneMatch };
    const answer = await this.service.call(
      { method: 'GET', path: `${this.path}/{id}`, params: { id }, headers, options: ['ifNoneMatch'] },
      options,
    );
    return answer.status === 304 && ifNoneMatch !== undefined ? undefined : stored(answer);
  }

  /** Creates a record. */
  async create(body: K['created'], { reason, ...options }: CreationOptions = {}): Promise<Stored<K['record']>> {
    return stored(await this.service.call({ method: 'POST', path: this.path, query: { reason }, body }, options));
  }

  /**
   * Changes the given fields of a record. Without `ifMatch`, it is not retried after a broken connection, because another caller may have
   * changed the record in between.
   */
  async update<Options extends RecordOptions>(
    id: string,
    patch: K['patch'],
    options?: Options,
  ): Promise<RecordAnswer<Stored<K['record']>, K['record'], Options>> {
    const { dryRun, reason, ...others }: RecordOptions = options ?? {};
    const query = { dryRun: dryRun ? true : undefined, reason };
    const answer = await patchAt(this.service, `${this.path}/{id}`, id, patch, others, query);
    return (dryRun ? bodyOf(answer) : stored(answer)) as RecordAnswer<Stored<K['record']>, K['record'], Options>;
  }

  /**
   * Deletes a record. It is retried after a broken connection: without `ifMatch`, the retry would also delete a record that another caller
   * has created with the same id in between.
   */
  delete<Options extends RecordOptions>(
    id: string,
    options?: Options,
  ): Promise<RecordAnswer<void, K['record'], Options>> {
    return this.deleteWith({}, id, options);
  }

  /** @param query the options of its own that this kind has for a deletion */
  protected async deleteWith<Options extends RecordOptions>(
    query: Query,
    id: string,
    { dryRun, reason, ...options }: RecordOptions = {},
  ): Promise<RecordAnswer<void, K['record'], Options>> {
    const asked = { ...query, dryRun: dryRun ? true : undefined, reason };
    const answer = await deleteAt(this.service, `${this.path}/{id}`, id, options, asked);
    return (dryRun ? bodyOf(answer) : undefined) as RecordAnswer<void, K['record'], Options>;
  }

  protected get path(): string {
    return `/api/${this.name}`;
  }
}

/** A record with its version. */
export function stored<Item extends object>(answer: WireAnswer): Stored<Item> {
  return { ...bodyOf<Item>(answer), etag: answer.headers.get('etag') ?? '' };
}

/** Changes one record at a path with `{id}`. */
export async function updateAt<Item extends object>(
  service: Service,
  path: string,
  id: string,
  body: object,
  options: ConditionalOptions,
): Promise<Stored<Item>> {
  return stored(await patchAt(service, path, id, body, options));
}

function patchAt(
  service: Service,
  path: string,
  id: string,
  body: object,
  options: ConditionalOptions,
  query?: Query,
): Promise<WireAnswer> {
  const headers = { 'if-match': options.ifMatch };
  const request = { method: 'PATCH', path, params: { id }, query, body, headers, options: ['ifMatch'] } as const;
  return service.call({ ...request, changesNothing: query?.dryRun === true }, options);
}

/** Deletes one record at a path with `{id}`. */
export async function deleteAt(
  service: Service,
  path: string,
  id: string,
  options: ConditionalOptions,
  query?: Query,
): Promise<WireAnswer> {
  const headers = { 'if-match': options.ifMatch };
  const request = { method: 'DELETE', path, params: { id }, query, headers, options: ['ifMatch'] } as const;
  return service.call({ ...request, changesNothing: query?.dryRun === true }, options);
}
