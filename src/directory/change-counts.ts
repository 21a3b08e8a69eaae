import { Injectable } from '@nestjs/common';

/** How many users something was changed of. */
export interface UserChanges {
  /** Users who were put in a workspace or a group that they were not in. */
  assignments: number;
  /** Users who were taken out of a workspace or a group that they were in. */
  unassignments: number;
  statuses: number;
  types: number;
}

/** What this process has changed since it began, each change counted once its transaction is committed. */
@Injectable()
export class ChangeCounts implements Readonly<UserChanges> {
  assignments = 0;
  unassignments = 0;
  statuses = 0;
  types = 0;

  add({ assignments = 0, unassignments = 0, statuses = 0, types = 0 }: Partial<UserChanges>): void {
    this.assignments += assignments;
    this.unassignments += unassignments;
    this.statuses += statuses;
    this.types += types;
  }
}
