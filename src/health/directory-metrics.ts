import { Injectable } from '@nestjs/common';
import { ChangeCounts } from '../directory/change-counts';
import { Metrics } from './metrics';

/** Counts actual changes of users, not requests. */
@Injectable()
export class DirectoryMetrics {
  constructor(metrics: Metrics, changes: ChangeCounts) {
    metrics.counter({
      name: 'user_assignments_total',
      help: 'Users who were added to a workspace or group; counted once per request.',
      read: () => changes.assignments,
    });
    metrics.counter({
      name: 'user_unassignments_total',
      help: 'Users who were removed from a workspace or group; counted once per request.',
      read: () => changes.unassignments,
    });
    metrics.counter({
      name: 'user_status_changes_total',
      help: 'Users whose status changed.',
      read: () => changes.statuses,
    });
    metrics.counter({
      name: 'user_type_changes_total',
      help: 'Users whose type changed, for any reason.',
      read: () => changes.types,
    });
  }
}
