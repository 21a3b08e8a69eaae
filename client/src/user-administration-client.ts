import type { CallOptions, ClientOptions } from './client-options.ts';
import { Service } from './calls/service.ts';
import { type AccessFilter, type AccessLine, readAccess } from './operations/access.ts';
import { Health } from './operations/health.ts';
import { Imports } from './operations/imports.ts';
import { Journal } from './operations/journal.ts';
import {
  type Groups,
  GROUP_FILTERS,
  type Permissions,
  PERMISSION_FILTERS,
  type Workspaces,
  WORKSPACE_FILTERS,
} from './operations/places.ts';
import { Records } from './operations/records.ts';
import { ScimConnections } from './operations/scim-connections.ts';
import { StatusTokens } from './operations/status-tokens.ts';
import { Users } from './operations/users.ts';
import { Webhooks } from './operations/webhooks.ts';
import type { Me } from './types/directory.ts';

/**
 * A client of the User Administration Service. Its methods retry temporary failures without making a change twice, end at the latest at
 * their deadline, and throw a `UserAdministrationError` if they fail.
 *
 * @example
 * const client = new UserAdministrationClient({ baseUrl: 'https://users.example', token });
 * await client.users.assignWorkspaces({ userIds: ['ben'], workspaces: ['atlas'] });
 */
export class UserAdministrationClient {
  readonly users: Users;
  readonly workspaces: Workspaces;
  readonly groups: Groups;
  readonly permissions: Permissions;
  readonly statusTokens: StatusTokens;
  readonly imports: Imports;
  readonly journal: Journal;
  readonly webhooks: Webhooks;
  readonly scimConnections: ScimConnections;
  readonly health: Health;
  private readonly service: Service;

  /** @throws UserAdministrationError `client.option_invalid` */
  constructor(options: ClientOptions) {
    this.service = new Service(options);
    this.users = new Users(this.service);
    this.workspaces = new Records(this.service, 'workspaces', WORKSPACE_FILTERS);
    this.groups = new Records(this.service, 'groups', GROUP_FILTERS);
    this.permissions = new Records(this.service, 'permissions', PERMISSION_FILTERS);
    this.statusTokens = new StatusTokens(this.service);
    this.imports = new Imports(this.service);
    this.journal = new Journal(this.service);
    this.webhooks = new Webhooks(this.service);
    this.scimConnections = new ScimConnections(this.service);
    this.health = new Health(this.service);
  }

  /** Returns the caller as the service sees them: a user of the directory, or a service. */
  me(options?: CallOptions): Promise<Me> {
    return this.service.ask({ method: 'GET', path: '/api/me' }, options);
  }

  /**
   * Reads the register: who has what, from where and since when, at one moment. It holds a part of it in memory, at the pace of the loop.
   *
   * @example for await (const { user, source } of client.access({ workspace: 'atlas' })) console.log(user.id, source?.kind);
   * @throws UserAdministrationError `client.connection_failed` if the answer is not whole
   */
  access(filter: AccessFilter = {}, options?: CallOptions): AsyncGenerator<AccessLine, void, undefined> {
    return readAccess(this.service, filter, options);
  }
}
