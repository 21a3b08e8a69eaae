import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Judged, writeAndJudge } from '../auth/judge-caller';
import { CONFIG, type Config } from '../config/config';
import type { UserStatus } from '../contract/directory';
import { ServiceError } from '../contract/errors';
import { afterCommit } from '../database/transactions';
import { ChangeCounts } from '../directory/change-counts';
import { LockedUsers } from '../directory/locked-users';
import { User } from '../directory/user.entity';
import { Journal } from '../journal/journal';
import { recordableAttribution } from '../journal/recordable';
import { changedFields } from '../records/changed-fields';
import { insertRecord } from '../records/insert-record';
import { updateRecord } from '../records/update-record';
import { typeChanged } from '../users/journal-entries';
import { UserTypeService } from '../users/user-type/user-type.service';
import type { JudgedConnection } from './judge-connection';

type Fields = Pick<User, 'email' | 'displayName'>;

/** What connections change of the records of users, each with its types and its entries in the journal. The users are locked. */
@Injectable()
export class UserWrites {
  constructor(
    private readonly userTypes: UserTypeService,
    private readonly journal: Journal,
    private readonly counts: ChangeCounts,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * @returns the key of the new user
   * @throws ServiceError `auth.administrator_required` for the id of a service, or if the rule makes the user an administrator
   */
  async create(
    manager: EntityManager,
    connection: JudgedConnection,
    user: Fields & Pick<User, 'id' | 'status'>,
  ): Promise<string> {
    const { judged, mayGrantAdministrator } = connection;
    const { id, ...fields } = user;
    const isService = this.config.accessTokens.serviceSubjects.includes(id);
    if (isService && !mayGrantAdministrator) throw notPermitted('the id is that of a service');
    const key = await insertRecord(manager, User, user, judged);
    await this.journal.append(manager, judged, [
      { action: 'user.created', user: id, after: { ...fields, permissions: [], workspaces: [], groups: [] } },
    ]);
    await this.retype(manager, connection, { key, id });
    return key;
  }

  /** Writes the fields that differ. */
  async update(
    manager: EntityManager,
    connection: JudgedConnection,
    user: Fields & Pick<User, 'key' | 'id'>,
    wanted: Fields,
  ): Promise<void> {
    const { judged } = connection;
    const { email, displayName } = user;
    const { before, after, changed } = changedFields({ email, displayName }, wanted);
    if (!changed) return;
    await writeAndJudge(manager, judged, (within) => updateRecord(within, User, user as User, after));
    await this.journal.append(manager, judged, [{ action: 'user.updated', user: user.id, before, after }]);
    if (after.email !== undefined) await this.retype(manager, connection, user);
  }

  /** @throws what `assign_statuses` raises: `directory.last_administrator` */
  async setStatus(manager: EntityManager, judged: Judged, id: string, status: UserStatus): Promise<void> {
    const [{ changed }] = await manager.query<[{ changed: number }]>(
      'SELECT changed FROM assign_statuses($1, $2, false, false, $3, $4, $5, $6, $7, $8)',
      [[id], status, ...recordableAttribution(judged)],
    );
    afterCommit(manager, () => this.counts.add({ statuses: changed }));
  }

  /**
   * Adds users to groups, or takes them out of groups or, without groups, out of workspaces.
   *
   * @param ids at most as many as a request of the API names
   */
  async move(
    manager: EntityManager,
    judged: Judged,
    operation: 'assign' | 'unassign',
    ids: string[],
    workspaces: string[],
    groups: string[],
  ): Promise<void> {
    const [{ moved, retyped }] = await manager.query<[{ moved: number; retyped: number }]>(
      `SELECT moved, retyped FROM ${operation}_users($1, $2, $3, $4, false, false, $5, $6, $7, $8, $9, $10)`,
      [ids, workspaces, groups, this.userTypes.rule.query, ...recordableAttribution(judged)],
    );
    afterCommit(manager, () => this.counts.add({ [`${operation}ments`]: moved, types: retyped }));
  }

  /** An application's own rule can derive types from emails. */
  private async retype(
    manager: EntityManager,
    { judged, mayGrantAdministrator }: JudgedConnection,
    user: Pick<User, 'key' | 'id'>,
  ): Promise<void> {
    const types = await this.userTypes.refresh(manager, new LockedUsers([user]), judged);
    const makesAdministrator = types.some(({ after }) => after === 'administrator');
    if (makesAdministrator && !mayGrantAdministrator) throw notPermitted('it would make an administrator');
    afterCommit(manager, () => this.counts.add({ types: types.length }));
    await this.journal.append(manager, judged, types.map(typeChanged));
  }
}

/** The refusal of what takes `mayGrantAdministrator`. */
export function notPermitted(cause: string): ServiceError {
  return new ServiceError('auth.administrator_required', {}, { cause: `the connection may not do this: ${cause}` });
}
