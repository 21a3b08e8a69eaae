import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Judged, judgeCaller } from '../auth/judge-caller';
import type { Attribution } from '../contract/attribution';
import { AffectedUsers, type KeysQuery } from '../directory/affected-users';
import { lockAdministratorGuard, requireAnAdministrator } from '../directory/last-administrator.rule';
import type { LockedUsers } from '../directory/locked-users';
import { Journal } from '../journal/journal';
import type { NewEntry } from '../journal/new-entry';
import { typeChanged } from './journal-entries';
import { isDemotion, UserTypeService } from './user-type.service';

/** Changes what each of the users of one part holds. @returns what the journal is to tell of it */
export type ChangeOfPart = (part: LockedUsers) => Promise<NewEntry[]>;

/**
 * Keeps types true through a change that can affect a million users, in bounded memory: it locks them all, and then changes
 * and tells part after part, in the one transaction of the change.
 *
 * @example
 * const members = await this.types.lock(manager, membersOf('workspace', key), judged);
 * await this.types.refresh(manager, members, judged, leave);
 */
@Injectable()
export class AffectedTypes {
  constructor(
    private readonly userTypes: UserTypeService,
    private readonly journal: Journal,
  ) {}

  /** Locks everyone affected, and judges the caller once more: the locks may have been waited for. */
  async lock(manager: EntityManager, keys: KeysQuery, attribution: Attribution): Promise<AffectedUsers> {
    const users = await AffectedUsers.lock(manager, keys, attribution.actor);
    await judgeCaller(manager, attribution);
    return users;
  }

  /**
   * Changes and refreshes them, part after part. The administrator guard comes last, after a chain of the journal, so that it is
   * not held for as long as this takes. Others lock them the other way round, and still no two wait for each other: a writer
   * takes any chain that is free.
   *
   * @returns the number of types that changed
   * @throws ServiceError `directory.last_administrator`
   */
  async refresh(
    manager: EntityManager,
    users: AffectedUsers,
    judged: Judged,
    change: ChangeOfPart = () => Promise.resolve([]),
  ): Promise<number> {
    let retyped = 0;
    let demoted = false;
    for await (const part of users.parts()) {
      const entries = await change(part);
      const types = await this.userTypes.recompute(manager, part);
      await this.journal.append(manager, judged, [...entries, ...types.map(typeChanged)]);
      retyped += types.length;
      demoted ||= types.some(isDemotion);
    }
    if (demoted) {
      await lockAdministratorGuard(manager);
      if (!users.includesCaller) await judgeCaller(manager, judged);
      await requireAnAdministrator(manager);
    }
    return retyped;
  }
}
