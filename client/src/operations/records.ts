import type { CallOptions, ConditionalOptions, PostOptions } from '../client-options.ts';
import { bodyOf, type Service } from '../calls/service.ts';
import type { WireAnswer } from '../calls/wire-request.ts';
import type { Query } from '../calls/wire.rules.ts';
import type { Stored } from '../types/directory.ts';
import { pageOf, Pages } from './pages.ts';

/** Which types the records of one kind have. */
export interface Kind {
  listed: object;
  record: object;
  created: object;
  patch: object;
  filter: object;
}

/** The operations that every kind of record has. */
export class Records<K extends Kind> {
  /** @param name as the path and the list have it, such as `workspaces` */
  constructor(
    protected readonly service: Service,
    private readonly name: string,
  ) {}

  /** All records that the filter leaves, page by page. */
  list(filter: K['filter'] = {}, options?: CallOptions): Pages<K['listed']> {
    const { cursor: first, ...query } = filter as Query;
    return new Pages(async (cursor = first as string | undefined) =>
      pageOf(
        await this.service.ask({ method: 'GET', path: this.path, query: { ...query, cursor } }, options),
        this.name,
      ),
    );
  }

  /** One record. */
  get(id: string, options?: CallOptions & { ifNoneMatch?: undefined }): Promise<Stored<K['record']>>;
  /** One record, or undefined if it still has this `etag`. */
  get(id: string, options: CallOptions & { ifNoneMatch: string }): Promise<Stored<K['record']> | undefined>;
  async get(
    id: string,
    options: CallOptions & { ifNoneMatch?: string } = {},
  ): Promise<Stored<K['record']> | undefined> {
    const headers = { 'if-none-match': options.ifNoneMatch };
    const answer = await this.service.call(
      { method: 'GET', path: `${this.path}/{id}`, params: { id }, headers },
      options,
    );
    return answer.status === 304 ? undefined : stored(answer);
  }

  async create(body: K['created'], options?: PostOptions): Promise<Stored<K['record']>> {
    return stored(await this.service.call({ method: 'POST', path: this.path, body }, options));
  }

  /**
   * Changes one record. Without `ifMatch` it is not sent again when a connection breaks: somebody else may have changed the
   * record in between.
   */
  async update(id: string, patch: K['patch'], options: ConditionalOptions = {}): Promise<Stored<K['record']>> {
    const headers = { 'if-match': options.ifMatch };
    const request = { method: 'PATCH', path: `${this.path}/{id}`, params: { id }, body: patch, headers } as const;
    return stored(await this.service.call(request, options));
  }

  /** Sent again when a connection breaks. A record of the same id that is made in that moment is safe with `ifMatch` only. */
  async delete(id: string, options: ConditionalOptions = {}): Promise<void> {
    const headers = { 'if-match': options.ifMatch };
    await this.service.call({ method: 'DELETE', path: `${this.path}/{id}`, params: { id }, headers }, options);
  }

  protected get path(): string {
    return `/api/${this.name}`;
  }
}

function stored<Item extends object>(answer: WireAnswer): Stored<Item> {
  return { ...bodyOf<Item>(answer), etag: answer.headers.get('etag') ?? '' };
}
