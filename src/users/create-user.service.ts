import { afterCommit } from '@user-administration/postgres';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { type Judged, judgeCaller } from '../auth/judge-caller';
import type { ChangeContext } from '../auth/change-context';
import { Transactions } from '../database/transactions';
import { ChangeCounts } from '../directory/change-counts';
import { findRecord } from '../records/find-record';
import { LockedRecords, lockExisting } from '../directory/locked-records';
import { LockedUsers } from '../directory/locked-users';
import { addPlaces, groupsWithin } from '../directory/memberships';
import { grantPermissions } from '../directory/permission-holders';
import { toUserRecord } from '../records/record-bodies';
import { User } from '../directory/user.entity';
import { Journal } from '../journal/journal';
import { aheadOrNone } from './ahead-or-none';
import type { CreateUserDto } from './dto/create-user.dto';
import { insertRecord } from '../records/insert-record';
import { typeChanged } from '../journal/journal-entries';
import { refuseUnknown } from '../records/refuse-unknown';
import { storedTexts, type UserTexts } from './user-fields';
import { userCreated, userFacts } from './user-facts';
import { UserTypeService } from './user-type/user-type.service';
import type { UserRecordDto } from './dto/user.dto';

interface NewUser extends Pick<User, 'id' | 'status'>, UserTexts, Partial<Pick<User, 'activeUntil'>> {
  permissions?: LockedRecords;
  workspaces?: LockedRecords;
  /** Each of one of the workspaces. */
  groups?: LockedRecords;
}

const NONE = new LockedRecords([]);

/** Creates a user with workspaces, groups and permissions. */
@Injectable()
export class CreateUserService {
  constructor(
    private readonly transactions: Transactions,
    private readonly userTypes: UserTypeService,
    private readonly journal: Journal,
    private readonly counts: ChangeCounts,
  ) {}

  /** @throws ServiceError `field.invalid` for what is unknown, then `record.id_taken` or `user.email_taken` */
  async execute(body: CreateUserDto, context: ChangeContext): Promise<UserRecordDto> {
    const id = body.id ?? uuidv7();
    const status = body.status ?? 'active';
    return this.transactions.run(async (manager) => {
      const permissions = await lockExisting(manager, 'permissions', body.permissions ?? []);
      const workspaces = await lockExisting(manager, 'workspaces', body.workspaces ?? []);
      const groups = await lockExisting(manager, 'groups', body.groups ?? []);
      const judged = await judgeCaller(manager, context);
      refuseUnknown('permissions', body.permissions ?? [], permissions, 'field.invalid');
      refuseUnknown('workspaces', body.workspaces ?? [], workspaces, 'field.invalid');
      const known = await groupsWithin(manager, workspaces, groups);
      refuseUnknown('groups', body.groups ?? [], known, 'field.invalid');

      const activeUntil = (await aheadOrNone(manager, body.activeUntil)) ?? null;
      const fields = { id, ...storedTexts(body), status, activeUntil };
      await this.applyWithin(manager, judged, { ...fields, permissions, workspaces, groups });
      return toUserRecord(await findRecord(manager, User, id));
    }, context.unit);
  }

  /**
   * The inner half: creates the user in the transaction of a larger change.
   *
   * @throws ServiceError `record.id_taken`, `user.email_taken`, after the transaction
   */
  async applyWithin(manager: EntityManager, judged: Judged, user: NewUser): Promise<Pick<User, 'key' | 'id' | 'type'>> {
    const { permissions = NONE, workspaces = NONE, groups = NONE, ...fields } = user;
    const { id } = fields;
    const key = await insertRecord(manager, User, fields, judged);
    if (workspaces.keys.length > 0) await addPlaces(manager, key, workspaces, groups);
    if (permissions.keys.length > 0) await grantPermissions(manager, { kind: 'user', key }, permissions.keys);
    const types = await this.userTypes.refresh(manager, new LockedUsers([{ key, id }]), judged);
    const assignments = workspaces.keys.length > 0 ? 1 : 0;
    afterCommit(manager, () => this.counts.add({ assignments, types: types.length }));
    const lists = { permissions: permissions.sortedIds, workspaces: workspaces.sortedIds, groups: groups.sortedIds };
    const created = userCreated(id, userFacts(fields, lists));
    await this.journal.append(manager, judged, [created, ...types.map(typeChanged)]);
    return { key, id, type: types[0]?.after ?? 'guest' };
  }
}
