import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { judgeCaller } from '../auth/judge-caller';
import type { ChangeContext } from '../auth/change-context';
import { ServiceError } from '../contract/errors';
import { Transactions } from '../database/transactions';
import { findRecord } from '../records/find-record';
import { Group } from '../directory/group.entity';
import { hold } from '../directory/locked-records';
import { grantPermissions } from '../directory/permission-holders';
import { toGroupRecord } from '../records/record-bodies';
import { Journal } from '../journal/journal';
import { insertRecord } from '../records/insert-record';
import { permissionsChanged } from '../users/journal-entries';
import { refuseUnknown } from '../users/refuse-unknown';
import type { CreateGroupDto } from './dto/create-group.dto';
import type { GroupRecordDto } from './dto/group.dto';

/** Creates a group in a workspace, with permissions. */
@Injectable()
export class CreateGroupService {
  constructor(
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  /** @throws ServiceError `field.invalid` for an unknown workspace and unknown permissions, then `record.id_taken` */
  async execute(body: CreateGroupDto, context: ChangeContext): Promise<GroupRecordDto> {
    const id = body.id ?? uuidv7();
    return this.transactions.run(async (manager) => {
      const permissions = await hold(manager, 'permissions', body.permissions ?? []);
      const workspaces = await hold(manager, 'workspaces', [body.workspace]);
      const judged = await judgeCaller(manager, context);
      const [workspaceKey] = workspaces.keys;
      if (workspaceKey === undefined) {
        const errors = [{ pointer: '/workspace', id: body.workspace }];
        throw new ServiceError('field.invalid', { args: { field: 'workspace' }, errors });
      }
      refuseUnknown('permissions', body.permissions ?? [], permissions, 'field.invalid');

      const key = await insertRecord(manager, Group, { id, name: body.name, workspaceKey }, judged);
      await grantPermissions(manager, { kind: 'group', key }, permissions.keys);
      const created = await findRecord(manager, Group, id);
      await this.journal.append(manager, judged, [
        { action: 'group.created', workspaces: workspaces.ids, after: { group: id, name: body.name } },
        ...permissionsChanged({
          holder: 'group',
          id,
          workspaces: workspaces.ids,
          before: [],
          after: created.permissions,
        }),
      ]);
      return toGroupRecord(created);
    }, context.unit);
  }
}
