import { Injectable } from '@nestjs/common';
import { ChangeCounts } from '../directory/change-counts';
import { Metrics } from './metrics';

/** Counts actual changes of users, not requests. */
@Injectable()
export class DirectoryMetrics {
  constructor(metrics: Metrics, changes: ChangeCounts) {
    metrics.counter(
      'user_assignments_total',
      'Users who were added to a workspace or group; counted once per request.',
      () => changes.assignments,
    );
    metrics.counter(
      'user_unassignments_total',
      'Users who were removed from a workspace or group; counted once per request.',
      () => changes.unassignments,
    );
    metrics.counter('user_status_changes_total', 'Users whose status changed.', () => changes.statuses);
    metrics.counter('user_type_changes_total', 'Users whose type changed, for any reason.', () => changes.types);
  }
}
