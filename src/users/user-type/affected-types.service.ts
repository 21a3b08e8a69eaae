import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Judged, judgeCaller } from '../../auth/judge-caller';
import type { Attribution } from '../../contract/attribution';
import { afterCommit } from '@user-administration/postgres';
import { AffectedUsers, type KeysQuery } from '../../directory/affected-users';
import { ChangeCounts } from '../../directory/change-counts';
import type { LockedUsers } from '../../directory/locked-users';
import { Journal } from '../../journal/journal';
import { typeChanged } from '../../journal/journal-entries';
import { requireAdministratorLeft } from '../../auth/last-administrator';
import type { UserTypeRule } from './user-type-rule';
import type { AffectedOf, UserImpact } from './user-impact';
import { isDemotion, UserTypeService } from './user-type.service';

/**
 * Changes the permissions or memberships of one part of the users, and appends that to the journal. @returns how many
 * of them were removed from a place
 */
export type ChangeOfPart = (part: LockedUsers) => Promise<number>;

/** What a dry run counts. */
export interface PreviewOfParts {
  /** Undefined if this is no dry run. */
  impact: UserImpact | undefined;
  /** Without it, those whose types change. */
  affected?: AffectedOf;
}

/**
 * Keeps types correct through a change that can affect a million users, in bounded memory: it locks all of them, and
 * then changes and records them in parts, in one transaction.
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
    private readonly counts: ChangeCounts,
  ) {}

  get rule(): UserTypeRule {
    return this.userTypes.rule;
  }

  /** Locks all affected users, and judges the caller again, because the locks may have taken time. */
  async lock(manager: EntityManager, keys: KeysQuery, attribution: Attribution): Promise<AffectedUsers> {
    const users = await AffectedUsers.lock(manager, keys, attribution.actor);
    await judgeCaller(manager, attribution);
    return users;
  }

  /**
   * Changes and refreshes the users in parts. The administrator guard comes last, so that it is held only briefly.
   *
   * @param preview for a dry run, which counts the affected users of each part
   * @throws ServiceError `directory.last_administrator`
   */
  async refresh(
    manager: EntityManager,
    users: AffectedUsers,
    judged: Judged,
    change?: ChangeOfPart,
    preview?: PreviewOfParts,
  ): Promise<void> {
    let demoted = false;
    for await (const part of users.parts()) {
      const unassignments = (await change?.(part)) ?? 0;
      const types = await this.userTypes.recompute(manager, part);
      await this.journal.append(manager, judged, types.map(typeChanged));
      if (preview?.impact) preview.impact.add(types, await preview.affected?.(part));
      // Only numbers: what the effect refers to stays in memory until the commit.
      const changes = { unassignments, types: types.length };
      afterCommit(manager, () => this.counts.add(changes));
      demoted ||= types.some(isDemotion);
    }
    if (demoted) await requireAdministratorLeft(manager, judged, users.includesCaller);
  }
}
