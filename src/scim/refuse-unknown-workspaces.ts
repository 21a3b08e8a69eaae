import { ServiceError } from '../contract/errors';
import type { LockedRecords } from '../directory/locked-records';
import { refuseUnknown } from '../records/refuse-unknown';

/** @throws ServiceError `field.invalid` for a workspace that the body of a connection names and that is unknown */
export function refuseUnknownWorkspaces(
  { workspace, workspaces }: { workspace?: string; workspaces?: readonly string[] | null },
  known: LockedRecords,
): void {
  if (workspace !== undefined && !known.has(workspace)) {
    const errors = [{ pointer: '/workspace', id: workspace }];
    throw new ServiceError('field.invalid', { args: { field: 'workspace' }, errors });
  }
  refuseUnknown('workspaces', workspaces ?? [], known, 'field.invalid');
}
