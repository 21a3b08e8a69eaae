import type { CallOptions, ConditionalOptions, PostOptions } from '../client-options.ts';
import { namesOf } from '../calls/known-names.ts';
import type { Service } from '../calls/service.ts';
import type {
  ChangeScimConnectionData,
  ConnectionTokenDto,
  CreateScimConnectionData,
  ListScimConnectionsData,
  ScimConnectionDto,
  ScimConnectionWithTokenDto,
} from '../generated/types.gen.ts';
import type { Stored } from '../types/directory.ts';
import { type Pages, pagesOf } from './pages.ts';
import { deleteAt, stored, updateAt } from './records.ts';

export type ScimConnection = ScimConnectionDto;
export type ScimConnectionWithToken = ScimConnectionWithTokenDto;
/** The page size of the list of connections. */
export type ScimConnectionFilter = NonNullable<ListScimConnectionsData['query']>;

const COLLECTION = '/api/scim-connections';
const PATH = `${COLLECTION}/{id}` as const;
const FILTERS = namesOf<ScimConnectionFilter>({ limit: true, cursor: true });

/** Manages the connections of identity providers, which keep users and groups by SCIM 2.0. */
export class ScimConnections {
  constructor(private readonly service: Service) {}

  /** Lists the connections page by page, oldest first, without their tokens. */
  list(filter: ScimConnectionFilter = {}, options?: CallOptions): Pages<ScimConnection> {
    return pagesOf(this.service, { path: COLLECTION, query: filter, filters: FILTERS }, 'connections', options);
  }

  /** Reads one connection, without its token. */
  async get(id: string, options?: CallOptions): Promise<Stored<ScimConnection>> {
    return stored(await this.service.call({ method: 'GET', path: PATH, params: { id } }, options));
  }

  /**
   * Makes a connection. Only this answer contains the token.
   *
   * @example const { token } = await client.scimConnections.create({ name: 'Okta', workspace: 'atlas' });
   * @throws UserAdministrationError such as `field.invalid`
   */
  async create(
    body: CreateScimConnectionData['body'],
    options?: PostOptions,
  ): Promise<Stored<ScimConnectionWithToken>> {
    return stored(await this.service.call({ method: 'POST', path: COLLECTION, body }, options));
  }

  /** Changes the given fields. Without `ifMatch`, it is not retried after a broken connection. */
  async update(
    id: string,
    body: ChangeScimConnectionData['body'],
    options: ConditionalOptions = {},
  ): Promise<Stored<ScimConnection>> {
    return updateAt(this.service, PATH, id, body, options);
  }

  /** Ends a connection. Users, groups and memberships stay. */
  async delete(id: string, options: ConditionalOptions = {}): Promise<void> {
    await deleteAt(this.service, PATH, id, options);
  }

  /** Makes a new token, and returns it. The one before works for `overlap` seconds more, a day by default. */
  async rotateToken(
    id: string,
    options: PostOptions & ConditionalOptions & { overlap?: number } = {},
  ): Promise<string> {
    const { overlap, ifMatch } = options;
    const request = { method: 'POST', path: `${PATH}/token`, params: { id }, body: { overlap } } as const;
    const headers = { 'if-match': ifMatch };
    const answer = await this.service.ask<ConnectionTokenDto>(
      { ...request, headers, options: ['ifMatch', 'overlap'] },
      options,
    );
    return answer.token;
  }
}
