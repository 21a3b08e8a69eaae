import type { CallOptions, ConditionalOptions, PostOptions, RecordOptions } from '../client-options.ts';
import { namesOf } from '../calls/known-names.ts';
import type { Service } from '../calls/service.ts';
import type {
  AssignWorkspacesData,
  AssignWorkspacesResponses,
  ManageStatusData,
  ManageStatusResponses,
  RenameUserData,
} from '../generated/types.gen.ts';
import type {
  BulkAnswer,
  BulkOptions,
  ChangedPlaces,
  ChangedStatus,
  RecordAnswer,
  StatusAssignment,
} from '../types/bulk.ts';
import type {
  EffectivePermission,
  Membership,
  NewUser,
  Stored,
  User,
  UserFilter,
  UserPatch,
  UserRecord,
} from '../types/directory.ts';
import { type Pages, pagesOf } from './pages.ts';
import { Records, stored } from './records.ts';

/** Users, workspaces and groups of a bulk change: at most 10,000 users, 1,000 workspaces and 1,000 groups. */
export type Assignment = AssignWorkspacesData['body'];

export interface DeletionOptions extends RecordOptions {
  /**
   * Whether to erase the personal facts of the user as well, and of everybody else who ever bore the id and lives under no other. `former`
   * spares who bears the id now, and deletes nobody.
   */
  erase?: boolean | 'former';
}

interface UserKind {
  listed: User;
  record: UserRecord;
  created: NewUser;
  patch: UserPatch;
  filter: UserFilter;
}

const FILTERS = namesOf<UserFilter>({
  id: true,
  email: true,
  search: true,
  status: true,
  type: true,
  workspace: true,
  group: true,
  permission: true,
  endsBefore: true,
  sort: true,
  total: true,
  limit: true,
  cursor: true,
});

/** The operations on users. */
export class Users extends Records<UserKind> {
  constructor(service: Service) {
    super(service, 'users', FILTERS);
  }

  /**
   * Adds all users to all workspaces, and to groups of these workspaces: all of them or, after an error, none.
   *
   * @example await client.users.assignWorkspaces({ userIds: ['ben', 'cyd'], workspaces: ['atlas'], groups: ['atlas-editors'] });
   * @throws UserAdministrationError such as `user.invalid`, with the positions of the unknown ids in `errors`
   */
  assignWorkspaces<Options extends BulkOptions>(
    body: Assignment,
    options?: Options,
  ): Promise<AssignWorkspacesResponses[200] & BulkAnswer<ChangedPlaces, Options>> {
    return this.bulk('workspace-assign', body, options);
  }

  /** Removes users from the groups; without `groups`, from the workspaces and all their groups. All of them or, after an error, none. */
  unassignWorkspaces<Options extends BulkOptions>(
    body: Assignment,
    options?: Options,
  ): Promise<BulkAnswer<ChangedPlaces, Options>> {
    return this.bulk('workspace-unassign', body, options);
  }

  /**
   * Sets the status of many users: of all or, after an error, of none.
   *
   * @example await client.users.assignStatus({ userIds: ['ben', 'cyd'], status: 'inactive', reason: 'The project has ended' });
   * @throws UserAdministrationError such as `user.invalid`, with the positions of the unknown ids in `errors`
   */
  assignStatus<Options extends BulkOptions>(
    body: StatusAssignment,
    options?: Options,
  ): Promise<BulkAnswer<ChangedStatus, Options>> {
    return this.bulk('status-assign', body, options);
  }

  /**
   * Deletes a user. With `erase` it also erases the email and display name of the user, and the reasons of all requests that concerned
   * the user, everywhere; a user who was deleted before can be erased, too.
   *
   * @example await client.users.delete('ben', { erase: true });
   * @example await client.users.delete('ben', { erase: 'former' }); // somebody else has got the id since
   * @throws UserAdministrationError such as `user.unknown` or `directory.last_administrator`
   */
  override delete<Options extends DeletionOptions>(
    id: string,
    options?: Options,
  ): Promise<RecordAnswer<void, UserRecord, Options>> {
    const { erase, ...others }: DeletionOptions = options ?? {};
    return this.deleteWith<Options>({ erase: erase ? String(erase) : undefined }, id, others);
  }

  /**
   * Gives a user another id. Everything else stays; access tokens with the old id are refused from then on.
   *
   * @example await client.users.rename('ben', { id: 'auth0|5f7c' });
   * @throws UserAdministrationError such as `user.unknown` or `record.id_taken`
   */
  async rename(
    id: string,
    body: RenameUserData['body'],
    options: PostOptions & ConditionalOptions = {},
  ): Promise<Stored<UserRecord>> {
    const headers = { 'if-match': options.ifMatch };
    const request = { method: 'POST', path: '/api/users/{id}/rename', params: { id }, body, headers } as const;
    return stored(await this.service.call({ ...request, options: ['ifMatch'] }, options));
  }

  /**
   * Changes the status of one user. A status token sets it; the access token of an administrator toggles it.
   *
   * @throws UserAdministrationError `status.not_permitted`, for whatever reason, or `status.last_administrator`
   */
  manageStatus(body: ManageStatusData['body'], options?: PostOptions): Promise<ManageStatusResponses[200]> {
    return this.service.ask({ method: 'POST', path: '/api/users/manage-status', body }, options);
  }

  /** Lists the workspaces of a user with the user's groups in them, in order of workspace id. */
  memberships(id: string, options?: CallOptions): Pages<Membership> {
    return pagesOf(this.service, { path: '/api/users/{id}/memberships', params: { id } }, 'memberships', options);
  }

  /** Lists the permissions that a user holds with their sources, in order of id. */
  permissions(id: string, options?: CallOptions): Pages<EffectivePermission> {
    return pagesOf(this.service, { path: '/api/users/{id}/permissions', params: { id } }, 'permissions', options);
  }

  private bulk<Body extends object>(name: string, body: object, options: BulkOptions = {}): Promise<Body> {
    const { representation, dryRun, lenient } = options;
    const prefer = [representation && 'return=representation', lenient && 'handling=lenient'].filter(Boolean);
    return this.service.ask(
      {
        method: 'POST',
        path: `/api/users/${name}`,
        query: { dryRun: dryRun ? true : undefined },
        body,
        headers: { prefer: prefer.length > 0 ? prefer.join(', ') : undefined },
        changesNothing: dryRun,
        options: ['representation', 'dryRun', 'lenient'],
      },
      options,
    );
  }
}
