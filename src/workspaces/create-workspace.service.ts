import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { judgeCaller } from '../auth/judge-caller';
import type { ChangeContext } from '../auth/change-context';
import { Transactions } from '../database/transactions';
import { findRecord } from '../records/find-record';
import { Workspace } from '../directory/workspace.entity';
import { hold } from '../directory/locked-records';
import { grantPermissions } from '../directory/permission-holders';
import { toWorkspaceRecord } from '../records/record-bodies';
import { Journal } from '../journal/journal';
import { insertRecord } from '../records/insert-record';
import { permissionsChanged } from '../users/journal-entries';
import { refuseUnknown } from '../users/refuse-unknown';
import type { CreateWorkspaceDto } from './dto/create-workspace.dto';
import type { WorkspaceRecordDto } from './dto/workspace.dto';

/** Creates a workspace with permissions. */
@Injectable()
export class CreateWorkspaceService {
  constructor(
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  /** @throws ServiceError `field.invalid` for unknown permissions, then `record.id_taken` */
  async execute(body: CreateWorkspaceDto, context: ChangeContext): Promise<WorkspaceRecordDto> {
    const id = body.id ?? uuidv7();
    return this.transactions.run(async (manager) => {
      const permissions = await hold(manager, 'permissions', body.permissions ?? []);
      const judged = await judgeCaller(manager, context);
      refuseUnknown('permissions', body.permissions ?? [], permissions, 'field.invalid');

      const key = await insertRecord(manager, Workspace, { id, name: body.name }, judged);
      await grantPermissions(manager, { kind: 'workspace', key }, permissions.keys);
      const created = await findRecord(manager, Workspace, id);
      await this.journal.append(manager, judged, [
        { action: 'workspace.created', workspaces: [id], after: { name: body.name } },
        ...permissionsChanged({ holder: 'workspace', id, workspaces: [id], before: [], after: created.permissions }),
      ]);
      return toWorkspaceRecord(created);
    }, context.unit);
  }
}
