import { Injectable } from '@nestjs/common';

/** Numbers of changed users. */
export interface UserChanges {
  /** Users who were added to a workspace or group. */
  assignments: number;
  /** Users who were removed from a workspace or group. */
  unassignments: number;
  statuses: number;
  types: number;
}

/** The changes of this process since its start, each counted after its transaction has committed. */
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
