import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { type Judged, judgeCaller } from '../auth/judge-caller';
import { ServiceError } from '../contract/errors';
import { Transactions } from '../database/transactions';
import type { Group } from '../directory/group.entity';
import { type LockedRecords, lockExisting } from '../directory/locked-records';
import { grantPermissions } from '../directory/permission-holders';
import type { Workspace } from '../directory/workspace.entity';
import type { ChangeContext } from '../auth/change-context';
import { Journal } from '../journal/journal';
import { findRecord } from '../records/find-record';
import { insertRecord } from '../records/insert-record';
import { permissionsChanged } from '../journal/journal-entries';
import { refuseUnknown } from '../records/refuse-unknown';
import { placeCreated } from './place-facts';
import type { LockedPlace, PlaceKind } from './place-kinds';

interface NewPlace {
  id?: string | null;
  name: string;
  /** The workspace of a group. */
  workspace?: string;
  permissions?: string[] | null;
}

interface LockedNewPlace {
  id: string;
  name: string;
  /** The one of a group. */
  workspace?: LockedRecords | undefined;
  permissions?: LockedRecords;
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
    place: PlaceKind<Place, Body>,
    { name, ...body }: NewPlace,
    context: ChangeContext,
  ): Promise<Body> {
    const id = body.id ?? uuidv7();
    return this.transactions.run(async (manager) => {
      const permissions = await lockExisting(manager, 'permissions', body.permissions ?? []);
      const workspace =
        body.workspace === undefined ? undefined : await lockExisting(manager, 'workspaces', [body.workspace]);
      const judged = await judgeCaller(manager, context);
      if (workspace?.keys.length === 0) {
        const errors = [{ pointer: '/workspace', id: body.workspace }];
        throw new ServiceError('field.invalid', { args: { field: 'workspace' }, errors });
      }
      refuseUnknown('permissions', body.permissions ?? [], permissions, 'field.invalid');

      await this.applyWithin(manager, judged, place, { id, name, workspace, permissions });
      return place.toBody(await findRecord(manager, place.entity, id));
    }, context.unit);
  }

  /**
   * The inner half: creates a place, which nobody is in, in the transaction of a larger change.
   *
   * @throws ServiceError `record.id_taken`, after the transaction
   */
  async applyWithin(
    manager: EntityManager,
    judged: Judged,
    { kind, entity }: Pick<PlaceKind, 'kind' | 'entity'>,
    { id, name, workspace, permissions }: LockedNewPlace,
  ): Promise<LockedPlace> {
    const fields = { id, name, ...(workspace && { workspaceKey: workspace.keys[0] }) };
    const key = await insertRecord<Workspace | Group>(manager, entity, fields, judged);
    const place = { kind, key, id, name, workspace: workspace?.ids[0] ?? id };
    if (permissions) await grantPermissions(manager, place, permissions.keys);
    const given = { before: [], after: permissions?.sortedIds ?? [] };
    const created = placeCreated(place);
    const permitted = permissionsChanged({ holder: kind, id, workspaces: [place.workspace], ...given });
    await this.journal.append(manager, judged, [created, ...permitted]);
    return place;
  }
}
