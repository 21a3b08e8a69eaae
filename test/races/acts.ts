import { ServiceError } from '../../src/contract/errors';
import type { DirectoryRecord, UserStatus } from '../../src/contract/directory';
import type { TestService } from '../support/test-service';
import { importDirectory } from '../../src/plugins/transfer/import-directory';
import { AssignStatusesService } from '../../src/users/assign-statuses.service';
import { ChangePermissionsService, type PermissionChange } from '../../src/users/change-permissions.service';
import { UnassignUsersService } from '../../src/users/unassign-users.service';
import { UndoRequestService } from '../../src/users/undo-request.service';
import { UserTypeService } from '../../src/users/user-type/user-type.service';
import { assign } from '../support/ask';

/** Whom the journal names for what no route does. */
const ACT = { actor: { kind: 'service', id: 'provisioning' } } as const;

/** Something that is done at one replica, and rejects unless it succeeds. */
export type Act = (service: TestService) => Promise<void>;

export function put(userIds: string[], workspaces: string[], groups?: string[]): Act {
  return async (service) => {
    const answer = await assign(service, service.serviceToken(), { userIds, workspaces, groups });
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  };
}

export function takeOut(userIds: string[], workspaces: string[], groups?: string[]): Act {
  return async (service) => {
    await service.app.get(UnassignUsersService).execute({ userIds, workspaces, groups }, ACT);
  };
}

/** Sets the statuses of many users. */
export function setStatus(userIds: string[], status: UserStatus): Act {
  return async (service) => {
    await service.app.get(AssignStatusesService).execute({ userIds, status }, ACT);
  };
}

/** Undoes the newest request that can be undone. */
export const undoNewest: Act = async ({ app, dataSource }) => {
  const [newest]: { position: string }[] = await dataSource.query(
    `SELECT position FROM journal_changes
     WHERE action = ANY ('{user.workspaces.assigned,user.workspaces.unassigned,user.status.changed}')
     ORDER BY position DESC LIMIT 1`,
  );
  if (!newest) return;
  await app
    .get(UndoRequestService)
    .execute(newest.position, {}, ACT)
    .catch((error: unknown) => {
      if (!(error instanceof ServiceError && error.code === 'journal.not_undoable')) throw error;
    });
};

export function grant(holder: PermissionChange['holder'], id: string, ...permissions: string[]): Act {
  return (service) => service.app.get(ChangePermissionsService).execute({ holder, id, grant: permissions }, ACT);
}

export function revoke(holder: PermissionChange['holder'], id: string, ...permissions: string[]): Act {
  return (service) => service.app.get(ChangePermissionsService).execute({ holder, id, revoke: permissions }, ACT);
}

export function load(...records: DirectoryRecord[]): Act {
  const lines = records.map((record) => JSON.stringify(record));
  return async ({ app, dataSource }) => {
    await importDirectory(dataSource, lines, ACT, { userTypes: app.get(UserTypeService) });
  };
}
