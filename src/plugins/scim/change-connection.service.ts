import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { type ChangeContext, Journal, lockExisting, Transactions } from '../door';
import { factsOf, toConnection } from './connections-reader';
import type { ChangeConnectionDto, ScimConnectionDto } from './dto/scim-connection.dto';
import { lockConnection } from './lock-connection';
import { refuseUnknownWorkspaces } from './lock-connection';
import { ScimConnection } from './scim-connection.entity';
import { CONNECTION_ACTIONS } from './actions';

/** Changes a connection: its name, its workspaces, or what it may do. */
@Injectable()
export class ChangeConnectionService {
  constructor(
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  /** @throws ServiceError `scim_connection.unknown`, `record.changed`, `field.invalid` for an unknown workspace */
  async execute(id: string, patch: ChangeConnectionDto, context: ChangeContext): Promise<ScimConnectionDto> {
    const more = patch.workspaces === undefined ? undefined : [...new Set(patch.workspaces)];
    const named = patch.workspace === undefined ? [] : [patch.workspace];
    return this.transactions.run(async (manager) => {
      const workspaces = await lockExisting(manager, 'workspaces', [...named, ...(more ?? [])]);
      const { found, judged } = await lockConnection(manager, id, context);
      refuseUnknownWorkspaces(patch, workspaces);

      const before = toConnection(found);
      const after = {
        ...before,
        name: patch.name ?? before.name,
        workspace: patch.workspace ?? before.workspace,
        workspaces: more ?? before.workspaces,
        mayGrantAdministrator:
          patch.mayGrantAdministrator === undefined
            ? before.mayGrantAdministrator
            : (patch.mayGrantAdministrator ?? false),
      };
      if (isDeepStrictEqual(after, before)) return before;
      const [workspaceKey] = workspaces.keysOf(named);
      await manager.update(
        ScimConnection,
        { id },
        {
          name: after.name,
          mayGrantAdministrator: after.mayGrantAdministrator,
          ...(workspaceKey !== undefined && { workspaceKey }),
          ...(more && { moreWorkspaceKeys: workspaces.keysOf(more) }),
        },
      );
      const concerned = [before.workspace, after.workspace, ...before.workspaces, ...after.workspaces];
      await this.journal.append(manager, judged, [
        CONNECTION_ACTIONS.entry('scim_connection.updated', {
          workspaces: [...new Set(concerned)],
          before: factsOf(before),
          after: factsOf(after),
        }),
      ]);
      return after;
    });
  }
}
