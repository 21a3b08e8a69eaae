import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { judgeCaller } from '../auth/judge-caller';
import { ServiceError } from '../contract/errors';
import { Transactions } from '../database/transactions';
import type { Group } from '../directory/group.entity';
import { lockExisting } from '../directory/locked-records';
import { grantPermissions } from '../directory/permission-holders';
import type { Workspace } from '../directory/workspace.entity';
import type { ChangeContext } from '../auth/change-context';
import { Journal } from '../journal/journal';
import { findRecord } from '../records/find-record';
import { insertRecord } from '../records/insert-record';
import { permissionsChanged } from '../users/journal-entries';
import { refuseUnknown } from '../users/refuse-unknown';
import type { PlaceKind } from './place-kinds';

interface NewPlace {
  id?: string | null;
  name: string;
  /** The workspace of a group. */
  workspace?: string;
  permissions?: string[] | null;
}

/** Creates a workspace, or a group in a workspace, with permissions. */
@Injectable()
export class CreatePlaceService {
  constructor(
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  /** @throws ServiceError `field.invalid` for an unknown workspace and unknown permissions, then `record.id_taken` */
  async execute<Place extends Workspace | Group, Body extends object>(
    { kind, entity, toBody }: PlaceKind<Place, Body>,
    { name, workspace, ...body }: NewPlace,
    context: ChangeContext,
  ): Promise<Body> {
    const id = body.id ?? uuidv7();
    return this.transactions.run(async (manager) => {
      const permissions = await lockExisting(manager, 'permissions', body.permissions ?? []);
      const within = workspace === undefined ? undefined : await lockExisting(manager, 'workspaces', [workspace]);
      const judged = await judgeCaller(manager, context);
      if (within?.keys.length === 0) {
        const errors = [{ pointer: '/workspace', id: workspace }];
        throw new ServiceError('field.invalid', { args: { field: 'workspace' }, errors });
      }
      refuseUnknown('permissions', body.permissions ?? [], permissions, 'field.invalid');

      const fields = { id, name, ...(within && { workspaceKey: within.keys[0] }) };
      const key = await insertRecord<Workspace | Group>(manager, entity, fields, judged);
      await grantPermissions(manager, { kind, key }, permissions.keys);
      const created = await findRecord(manager, entity, id);
      const workspaces = [workspace ?? id];
      await this.journal.append(manager, judged, [
        kind === 'group'
          ? { action: 'group.created', workspaces, after: { group: id, name } }
          : { action: 'workspace.created', workspaces, after: { name } },
        ...permissionsChanged({ holder: kind, id, workspaces, before: [], after: created.permissions }),
      ]);
      return toBody(created);
    }, context.unit);
  }
}
