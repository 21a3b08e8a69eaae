import { Injectable } from '@nestjs/common';
import { ChangeCounts } from '../directory/change-counts';
import { Metrics } from './metrics';

/** Counts actual changes of users, not requests. */
@Injectable()
export class DirectoryMetrics {
  constructor(metrics: Metrics, changes: ChangeCounts) {
    metrics.counter({
      name: 'user_assignments_total',
      help: 'Users who were put in workspaces or groups that they were not in; once for each request.',
      read: () => changes.assignments,
    });
    metrics.counter({
      name: 'user_unassignments_total',
      help: 'Users who were taken out of workspaces or groups that they were in; once for each request.',
      read: () => changes.unassignments,
    });
    metrics.counter({
      name: 'user_status_changes_total',
      help: 'Users whose status changed.',
      read: () => changes.statuses,
    });
    metrics.counter({
      name: 'user_type_changes_total',
      help: 'Users whose type changed, by whatever changed it.',
      read: () => changes.types,
    });
  }
}
