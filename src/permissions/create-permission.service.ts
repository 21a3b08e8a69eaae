import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { type Judged, judgeCaller } from '../auth/judge-caller';
import type { ChangeContext } from '../auth/change-context';
import { Transactions } from '../database/transactions';
import { findRecord } from '../records/find-record';
import { Permission } from '../directory/permission.entity';
import { toPermissionRecord } from '../records/record-bodies';
import { Journal } from '../journal/journal';
import { insertRecord } from '../records/insert-record';
import type { CreatePermissionDto, PermissionDto } from './permission.dto';
import { permissionFacts } from './permission-facts';

/** Creates a permission, which nobody holds yet. */
@Injectable()
export class CreatePermissionService {
  constructor(
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  /** @throws ServiceError `record.id_taken` */
  async execute(body: CreatePermissionDto, context: ChangeContext): Promise<PermissionDto> {
    const { description = null, grants } = body;
    const id = body.id ?? uuidv7();
    return this.transactions.run(async (manager) => {
      const judged = await judgeCaller(manager, context);
      await this.applyWithin(manager, judged, { id, description, grants });
      return toPermissionRecord(await findRecord(manager, Permission, id));
    }, context.unit);
  }

  /**
   * The inner half: creates a permission in the transaction of a larger change.
   *
   * @throws ServiceError `record.id_taken`, after the transaction
   */
  async applyWithin(
    manager: EntityManager,
    judged: Judged,
    permission: Pick<Permission, 'id' | 'description' | 'grants'>,
  ): Promise<void> {
    await insertRecord(manager, Permission, permission, judged);
    await this.journal.append(manager, judged, [{ action: 'permission.created', after: permissionFacts(permission) }]);
  }
}
